#!/usr/bin/python3
"""Names that are not UTF-8."""
import json
def write(name, encoding, *names):
    text = json.dumps([{"name": n, "ph": "X", "ts": 10 * i, "dur": 5 + 45 * i, "pid": 1, "tid": 1} for i, n in enumerate(names)], ensure_ascii=False)
    open(name, "wb").write(text.encode(encoding))
write("korean.json", "cp949", "전처리", "후처리")
write("japanese.json", "shift_jis", "まえしょり", "あとしょり")
write("chinese.json", "gbk", "预处理", "后处理", "推理")
open("none.json", "wb").write(b'[{"name":"a\xff\xfe","ph":"X","ts":1,"dur":2},{"name":"a\xff\xfd","ph":"X","ts":5,"dur":3}]')
