"""Host operators follow each other from the request's begin to its end, those of the NPU lie among them and take no longer than it."""
import re

NPU = re.compile(r"(\d+) is from (\d+) to (\d+), NPU (\d+)")
rows, requests = {}, {}
for line in open("rows"):
    told = NPU.match(line)
    if told:
        requests[int(told[1])] = [int(x) for x in told.groups()[1:]]
    else:
        request, name, start, dur = line.split()
        rows.setdefault(int(request), []).append((name, int(start), int(dur)))
for (request, (begin, end, npu)), (_, told) in zip(sorted(requests.items()), sorted(rows.items())):
    assert told and all(dur >= 0 and begin <= start and start + dur <= end for _, start, dur in told), told
    host = sum(dur for name, _, dur in told if name in ("Quantize", "Lower", "Unlower", "Dequantize"))
    inside = sum(dur for name, _, dur in told) - host
    assert 0 < inside <= npu <= end - begin, (inside, npu)
    print(request, len(told), "operators,", "inside of the request and of its NPU time")
