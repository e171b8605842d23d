-- A fleet's answer as one SQLite file: what `--sqlite FILE` of a run over many models and of `merge` writes, and what
-- `npu-advise diff OLD.sqlite NEW.sqlite` reads.  PRAGMA user_version is the version of this schema, 2 (1 had other columns in
-- findings: rank, applicability, verified and verdict; diff reads both).  Times are nanoseconds.
CREATE TABLE models(
 id INTEGER PRIMARY KEY, -- place in the run, from 0
 model TEXT NOT NULL UNIQUE, file TEXT NOT NULL, settings TEXT NOT NULL, -- of a list of work; model is file, then settings
 status INTEGER NOT NULL, error TEXT, -- 0 passed, 1 a gate failed, 2 unreadable, 3 inconclusive
 sha256 TEXT, target TEXT, sdk TEXT, objective TEXT, batch INTEGER, workers INTEGER, grade TEXT,
 inferences INTEGER, -- that were measured
 predicted_ns REAL, measured_ns REAL, measured_p90_ns REAL); -- latency; measured_ns is the median
CREATE TABLE steps(
 model INTEGER NOT NULL REFERENCES models(id), step INTEGER NOT NULL, kind TEXT NOT NULL, op TEXT NOT NULL, -- kind: host, h2d, npu, d2h
 predicted_ns REAL, measured_ns REAL, lo_ns REAL, hi_ns REAL, -- the median and its 90 % interval
 PRIMARY KEY(model, step)) WITHOUT ROWID;
CREATE TABLE findings(
 model INTEGER NOT NULL REFERENCES models(id), change INTEGER NOT NULL, rule_id TEXT NOT NULL, fingerprint TEXT, title TEXT, -- change: its id in the result
 needs TEXT, -- names joined by commas
 unit TEXT, gain_lo REAL, gain_mid REAL, gain_hi REAL, basis TEXT, -- gain: what it saves in the plan, as the screen shows it
 source TEXT, plan TEXT, -- of the gain: predicted, simulated or measured; the id of the plan that holds it, if one does
 PRIMARY KEY(model, change)) WITHOUT ROWID;
-- Which rules pay over all models: gains of one rule in one model at its best, added up.
CREATE VIEW rules_that_pay AS SELECT rule_id, unit, min(title) title, count(*) models, sum(gain_lo) gain_lo, sum(gain_mid) gain_mid, sum(gain_hi) gain_hi
 FROM (SELECT model, rule_id, unit, title, sum(gain_lo) gain_lo, sum(gain_mid) gain_mid, sum(gain_hi) gain_hi FROM findings
 WHERE gain_mid > 0 GROUP BY model, rule_id, unit) GROUP BY rule_id, unit ORDER BY unit, gain_mid DESC;
-- Time on the host by operator: measured where it was, else predicted.
CREATE VIEW host_operators AS SELECT op, count(DISTINCT model) models, count(*) steps, sum(coalesce(measured_ns, predicted_ns)) ns,
 sum(measured_ns IS NOT NULL) measured_steps FROM steps WHERE kind = 'host' GROUP BY op ORDER BY ns DESC;
-- What another SDK brings or breaks, model by model, all else being equal.
CREATE VIEW sdk_updates AS SELECT o.file, o.target, o.objective, o.batch, o.sdk old_sdk, n.sdk new_sdk, o.status old_status, n.status new_status,
 o.predicted_ns old_predicted_ns, n.predicted_ns new_predicted_ns, o.measured_ns old_measured_ns, n.measured_ns new_measured_ns
 FROM models o JOIN models n ON o.file = n.file AND o.target IS n.target AND o.objective IS n.objective AND o.batch IS n.batch AND o.workers IS n.workers
 AND instr('0.8 0.9 0.10', o.sdk) < instr('0.8 0.9 0.10', n.sdk) ORDER BY o.file, o.objective, n.id;
