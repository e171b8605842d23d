"""fleet.py SCHEMA FILE: an answer of one model with findings of 20,000 rules, whose names take 4 MB."""
import sqlite3
import sys

db = sqlite3.connect(sys.argv[2])
db.executescript(open(sys.argv[1], encoding="utf-8").read() + "PRAGMA user_version=1;")
db.execute("INSERT INTO models(id, model, file, settings, status) VALUES(0, 'm', 'm', '', 0)")
db.executemany("INSERT INTO findings(model, change, rule_id, unit, gain_mid) VALUES(0, ?, ?, 'ns', 5)",
               ((i, f"{i:06}" + "R" * 200) for i in range(20000)))
db.commit()
