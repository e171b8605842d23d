"""Makes the inputs of this case."""
import json
formats = open("formats.txt").read().splitlines()
tensor = lambda i, text, shape: {"Name": f"t{i}", "Dimensions": shape, "Format/Datatype": text}
shapes = [[1, 3, 10, 10]] * len(formats) + [[1, -1, 10], [2**20] * 8, [1] * 9, []]
texts = formats + ["Row major linear FP32"] * 4
layers = [{"Name": f"l{i}", "LayerType": "PointWise", "Inputs": [], "Outputs": [tensor(i, text, shape)]}
          for i, (text, shape) in enumerate(zip(texts, shapes))]
layers.append({"Name": "apart", "LayerType": "PointWise", "Inputs": [], "Outputs": [
    {"Name": "t-apart", "Dimensions": [2, 2], "Format": "Row major linear", "Datatype": "FP16"}]})
json.dump({"Layers": layers}, open("graph.json", "w"))
