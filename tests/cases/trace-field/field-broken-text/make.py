#!/usr/bin/python3
"""Traces with text that is not closed."""
open("windows.json", "w").write(r'''{"schemaVersion": 1,"traceEvents": [
{"ph":"X","cat":"python_function","name":"C:\Users\user1\new\x.py(12): f","pid":1,"tid":1,"ts":1,"dur":10,"args":{}},
{"ph":"X","cat":"python_function","name":"C:\Users\user2\new\x.py(12): f","pid":1,"tid":1,"ts":20,"dur":30,"args":{}},
{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":60,"dur":5,"args":{"Call stack":"D:\src\"}},
{"ph":"X","cat":"cpu_op","name":"aten::add","pid":1,"tid":1,"ts":70,"dur":7,"args":{}},
{"ph":"X","cat":"cpu_op","name":"aten::relu","pid":1,"tid":1,"ts":80,"dur":9,"args":{}}]}''')
E = '{"ph":"X","cat":"cpu_op","name":"aten::%s","pid":1,"tid":1,"ts":%d,"dur":%d,"args":{%s}}'
open("bracket.json", "w").write('{"traceEvents": [\n' + ",\n".join([E % ("a", 1, 2, '"Input Dims":[[1,2],[3]'), E % ("b", 5, 3, ""), E % ("c", 10, 4, "")]) + "]}")
open("cut.json", "w").write('{"traceEvents": [\n' + E % ("a", 1, 2, "") + ',\n{"ph":"X","cat":"cpu_op","na\n' + E % ("b", 5, 3, "") + ",\n" + E % ("c", 10, 4, "") + "]}")
