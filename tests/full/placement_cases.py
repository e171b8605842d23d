"""Models of one operator between two convolutions, as vision exports hold it: what vendor_placement.py asks both sides about."""
import numpy
import onnx

from closed_networks import Net

F, I = numpy.float32, numpy.array


def one(op, *constants, **attributes):
    return lambda n, x: n.add(op, x, *constants, **attributes)


def gate(n, x, op, **attributes):
    """Squeeze and excitation."""
    return n.add("Mul", x, n.add(op, n.conv(n.add("GlobalAveragePool", x), 16, 16, 1), **attributes))


def two(op, **attributes):
    return lambda n, x: n.add(op, x, n.add("Sigmoid", n.conv(x, 16, 16, 1)), **attributes)


def chain(*steps):
    def build(n, x):
        for op, constants, attributes in steps:
            x = n.add(op, x, *constants, **attributes)
        return x
    return build


def step(op, *constants, **attributes):
    return op, constants, attributes


def resize(mode, coordinates, scale, nearest="round_prefer_floor", **more):
    scale = scale if isinstance(scale, tuple) else (scale, scale)
    return lambda n, x: n.add("Resize", x, "", I((1, 1, *scale), F), mode=mode, coordinate_transformation_mode=coordinates, nearest_mode=nearest, **more)


def conv(cout, k, group=1, bias=True, **attributes):
    def build(n, x):
        weights = n.rng.normal(size=(cout, 16 // group, *k)) / 12
        return n.add("Conv", x, weights, *([n.rng.normal(size=cout)] if bias else []), kernel_shape=list(k), group=group, **attributes)
    return build


def deconv(cout, k, group=1, **attributes):
    return lambda n, x: n.add("ConvTranspose", x, n.rng.normal(size=(16, cout // group, k, k)) / 8, n.rng.normal(size=cout), kernel_shape=[k, k], group=group,
                              **attributes)


def tokens(n, x):
    """[1, 1024, 16], as transformers take images."""
    return n.add("Transpose", n.add("Reshape", x, I([1, 16, 1024])), perm=[0, 2, 1])


def on_tokens(build):
    return lambda n, x: build(n, tokens(n, x))


def flat(n, x):
    return n.add("Flatten", n.add("GlobalAveragePool", x))


def on_flat(build):
    return lambda n, x: build(n, flat(n, x))


def layer_norm(square, root, axes=(-1,), weights=(16,)):
    def build(n, x):
        mean = n.reduced(x, "ReduceMean", list(axes))
        centred = n.add("Sub", x, mean)
        squared = n.add("Pow", centred, F(2)) if square == "Pow" else n.add("Mul", centred, centred)
        above = n.add("Add", n.reduced(squared, "ReduceMean", list(axes)), F(1e-5))
        deviation = n.add("Sqrt", above) if root == "Sqrt" else n.add("Pow", above, F(0.5))
        y = n.add("Div", centred, deviation)
        return n.add("Add", n.add("Mul", y, n.rng.uniform(0.5, 2, size=weights)), n.rng.normal(size=weights)) if weights else y
    return build


def group_norm(n, x):
    y = n.add("InstanceNormalization", n.add("Reshape", x, I([0, 4, -1])), numpy.ones(4), numpy.zeros(4))
    y = n.add("Reshape", y, I([1, 16, 32, 32]))
    return n.add("Add", n.add("Mul", y, n.rng.uniform(size=(16, 1, 1))), n.rng.normal(size=(16, 1, 1)))


def l2_norm(clip, expand, axis=1):
    def build(n, x):
        y = n.reduced(x, "ReduceL2", [axis])
        y = n.add("Clip", y, F(1e-12)) if clip else y
        y = n.add("Expand", y, I([1, 16, 32, 32])) if expand else y
        return n.add("Div", x, y)
    return build


def gelu(kind):
    def build(n, x):
        if kind == "sigmoid":
            return n.add("Mul", x, n.add("Sigmoid", n.add("Mul", x, F(1.702))))
        y = n.add("Mul", x, n.add("Add", n.add("Erf", n.add("Mul", x, F(2 ** -0.5))), F(1)))
        return n.add("Mul", y, F(0.5))
    return build


def attention(n, x):
    """Scores of two heads."""
    t = tokens(n, x)
    q = n.add("Transpose", n.add("Reshape", n.project(t, 16, 16), I([1, 1024, 2, 8])), perm=[0, 2, 1, 3])
    k = n.add("Transpose", n.add("Reshape", n.project(t, 16, 16), I([1, 1024, 2, 8])), perm=[0, 2, 3, 1])
    return n.add("MatMul", q, k)


def split(axis, sizes):
    def build(n, x):
        parts = n.add("Split", x, I(sizes), count=len(sizes), axis=axis)
        return n.add("Concat", *reversed(parts), axis=axis)
    return build


def sliced(starts, ends, axes, steps=None):
    return lambda n, x: n.add("Slice", x, I(starts), I(ends), I(axes), *([I(steps)] if steps else []))


def roll(axis):
    """torch.roll: a shifted window."""
    return lambda n, x: n.add("Concat", n.add("Slice", x, I([3]), I([32]), I([axis])), n.add("Slice", x, I([0]), I([3]), I([axis])), axis=axis)


def window(n, x):
    x = n.add("Transpose", x, perm=[0, 2, 3, 1])
    x = n.add("Transpose", n.add("Reshape", x, I([1, 4, 8, 4, 8, 16])), perm=[0, 1, 3, 2, 4, 5])
    return n.project(n.add("Reshape", x, I([16, 64, 16])), 16, 16)


def unshuffle(n, x):
    x = n.add("Transpose", n.add("Reshape", x, I([1, 16, 16, 2, 16, 2])), perm=[0, 1, 3, 5, 2, 4])
    return n.add("Reshape", x, I([1, 64, 16, 16]))


def masked(n, x):
    return n.add("Where", n.add("Greater", x, F(0)), x, n.add("Mul", x, F(0.1)))


def counted(n, x):
    return n.add("Cast", n.add("ArgMin", x, axis=1), to=onnx.TensorProto.FLOAT)


def dynamic_conv(n, x):
    return n.add("Conv", x, n.add("Reshape", n.add("GlobalAveragePool", n.conv(x, 16, 144, 1)), I([16, 1, 3, 3])), pads=[1, 1, 1, 1], group=16)


def gru(n, x):
    rows = n.add("Reshape", x, I([32, 1, 512]))
    return n.add("GRU", rows, n.rng.normal(size=(1, 24, 512)) / 20, n.rng.normal(size=(1, 24, 8)), count=2, hidden_size=8)[0]


def rows_of(build):
    """On [1, 16, 1024], as sound or text."""
    return lambda n, x: build(n, n.add("Reshape", x, I([1, 16, 1024])))


def volume(build):
    """On [1, 4, 4, 32, 32], as video."""
    return lambda n, x: build(n, n.add("Reshape", x, I([1, 4, 4, 32, 32])))


def odd(build):
    """On images of 31 x 31."""
    return lambda n, x: build(n, n.add("Slice", x, I([0, 0]), I([31, 31]), I([2, 3])))


def conv_1d(**attributes):
    return rows_of(lambda n, x: n.add("Conv", x, n.rng.normal(size=(16, 16, 3)) / 7, n.rng.normal(size=16), **attributes))


def deconv_of(*kernel, **attributes):
    return lambda n, x: n.add("ConvTranspose", x, n.rng.normal(size=(16 if len(kernel) < 3 else 4, 4, *kernel)) / 8, **attributes)


def product(weights, shape=None):
    """With a constant of that shape."""
    return lambda n, x: n.add("MatMul", n.add("Reshape", x, I(shape)) if shape else x, n.rng.normal(size=weights))


def computed(n, x, size):
    return n.add("Reshape", n.add("GlobalAveragePool", n.conv(x, 16, size, 1)), I([size]))


def softmax_of(shape, axis):
    return lambda n, x: n.add("Softmax", n.add("Reshape", x, I(shape)), axis=axis)


# Operators in rarer forms: of one and three axes, with auto_pad and ceil_mode, of other constants, along the first axis.
RARE = {
    "max_1d": rows_of(one("MaxPool", kernel_shape=[3], strides=[2], pads=[1, 1])), "max_1d_dil": rows_of(one("MaxPool", kernel_shape=[3], dilations=[2])),
    "max_3d": volume(one("MaxPool", kernel_shape=[1, 2, 2], strides=[1, 2, 2])), "avg_1d": rows_of(one("AveragePool", kernel_shape=[4], strides=[4])),
    "avg_3d": volume(one("AveragePool", kernel_shape=[2, 2, 2], strides=[2, 2, 2])), "gap_1d": rows_of(one("GlobalAveragePool")), "gap_3d": volume(one("GlobalAveragePool")),
    "rz_1d": rows_of(lambda n, x: n.add("Resize", x, "", I([1, 1, 2], F), mode="nearest", coordinate_transformation_mode="asymmetric", nearest_mode="floor")),
    "rz_3d": volume(lambda n, x: n.add("Resize", x, "", I([1, 1, 1, 2, 2], F), mode="nearest", coordinate_transformation_mode="asymmetric", nearest_mode="floor")),
    "rz_tf_half": resize("nearest", "tf_half_pixel_for_nn", 2.0, "floor"), "rz_tf_crop": lambda n, x: n.add("Resize", x, I([0, 0, 0, 0, 1, 1, 1, 1], F), I([1, 1, 2, 2], F), mode="linear", coordinate_transformation_mode="tf_crop_and_resize"),
    "cv_1d_padded": conv_1d(pads=[1, 1]), "cv_1d_bare": conv_1d(), "cv_1d_half": conv_1d(pads=[1, 0]), "cv_1d_valid": conv_1d(auto_pad="VALID"), "cv_1d_same": conv_1d(auto_pad="SAME_UPPER", strides=[2]), "cv_1d_dil_40": conv_1d(dilations=[40], pads=[40, 40]),
    "ct_1d": rows_of(deconv_of(2, strides=[2])), "ct_3d": volume(deconv_of(2, 2, 2, strides=[2, 2, 2])), "ct_same": deconv_of(3, 3, strides=[2, 2], auto_pad="SAME_UPPER"), "ct_valid": deconv_of(3, 3, strides=[2, 2], auto_pad="VALID"),
    "ct_dil_12": deconv_of(3, 3, dilations=[12, 12]), "ct_dil_13": deconv_of(3, 3, dilations=[13, 13]), "ct_group_same": deconv_of(3, 3, strides=[2, 2], auto_pad="SAME_UPPER", group=4), "ct_shape": deconv_of(3, 3, strides=[2, 2], output_shape=[64, 64]),
    "avg_ceil_exact": one("AveragePool", kernel_shape=[2, 2], strides=[2, 2], ceil_mode=1), "avg_ceil_rest": odd(one("AveragePool", kernel_shape=[2, 2], strides=[2, 2], ceil_mode=1)),
    "avg_ceil_rest_incl": odd(one("AveragePool", kernel_shape=[2, 2], strides=[2, 2], ceil_mode=1, count_include_pad=1)), "avg_ceil_s1": one("AveragePool", kernel_shape=[3, 3], ceil_mode=1),
    "mm_const_1": product((1, 32, 8)), "mm_const_1_1": product((1, 1, 32, 8)), "mm_const_of_rows": product((1, 1, 32, 8), [512, 32]), "mm_const_heads": product((16, 32, 8)), "mm_5d": volume(product((32, 8))), "mm_wide": product((1, 1, 1, 32, 8)),
    "mm_vector": product((32,), [512, 32]), "mm_two_vectors": product((16384,), [16384]),
    "gemm_first": lambda n, x: n.add("Gemm", n.rng.normal(size=(8, 512)), n.add("Reshape", x, I([512, 32])), n.rng.normal(size=32)), "gemm_c_computed": lambda n, x: n.add("Gemm", n.add("Reshape", x, I([512, 32])), n.rng.normal(size=(32, 16)), computed(n, x, 16)),
    "cv_bias_computed": lambda n, x: n.add("Conv", x, n.rng.normal(size=(16, 16, 1, 1)), computed(n, x, 16)), "ct_bias_computed": lambda n, x: n.add("ConvTranspose", x, n.rng.normal(size=(16, 4, 2, 2)), computed(n, x, 4), strides=[2, 2]),
    "einsum": lambda n, x: n.add("Einsum", x, n.rng.normal(size=(16, 8)), equation="bchw,cd->bdhw"), "pow_int64": lambda n, x: n.add("Pow", n.add("Sigmoid", x), I(2)), "pow_int32": lambda n, x: n.add("Pow", n.add("Sigmoid", x), I(2, numpy.int32)),
    "tr_0231": one("Transpose", perm=[0, 2, 3, 1]), "tr_0312": one("Transpose", perm=[0, 3, 1, 2]), "tr_0132": one("Transpose", perm=[0, 1, 3, 2]),
    "tr_sigmoid": chain(step("Transpose", perm=[0, 2, 3, 1]), step("Sigmoid")), "tr_part": chain(step("Transpose", perm=[0, 2, 3, 1]), step("Slice", I([0]), I([16]), I([1]))),
    "tr_max": chain(step("Transpose", perm=[0, 2, 3, 1]), step("MaxPool", kernel_shape=[2, 2])), "tr_gap": chain(step("Transpose", perm=[0, 2, 3, 1]), step("GlobalAveragePool")),
    "tr_blocks": chain(step("Transpose", perm=[0, 2, 3, 1]), step("DepthToSpace", blocksize=2)), "tr_reshaped": chain(step("Transpose", perm=[0, 2, 3, 1]), step("Reshape", I([1, 16, 32, 32]))),
    "tr_back": chain(step("Transpose", perm=[0, 2, 3, 1]), step("Transpose", perm=[0, 3, 1, 2])),
    "sm_vector": softmax_of([16384], 0), "sm_first_axis": softmax_of([8192, 2], 0), "sm_first_of_rows": softmax_of([2, 8192], 0), "sm_first_of_one": softmax_of([1, 16384], 1), "sm_two_rows": softmax_of([2, 8192], 1),
}
CASES = RARE | {
    "avg_k5s2": one("AveragePool", kernel_shape=[5, 5], strides=[2, 2]),
    "avg_k3s2p1_incl": one("AveragePool", kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1], count_include_pad=1),
    "avg_k3s2p1_excl": one("AveragePool", kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1]),
    "avg_k3s2_ceil": one("AveragePool", kernel_shape=[3, 3], strides=[2, 2], ceil_mode=1),
    "avg_same": one("AveragePool", kernel_shape=[2, 2], auto_pad="SAME_UPPER"),
    "avg_k1x4": one("AveragePool", kernel_shape=[1, 4], strides=[1, 4]),
    "avg_asym_incl": one("AveragePool", kernel_shape=[3, 3], strides=[2, 2], pads=[0, 0, 1, 1], count_include_pad=1),
    "avg_k32": one("AveragePool", kernel_shape=[32, 32]),
    "max_k5s1p2": one("MaxPool", kernel_shape=[5, 5], strides=[1, 1], pads=[2, 2, 2, 2]),
    "max_k3_asym": one("MaxPool", kernel_shape=[3, 3], strides=[2, 2], pads=[0, 0, 1, 1]),
    "max_k1s2": one("MaxPool", kernel_shape=[1, 1], strides=[2, 2]),
    "max_same_lower": one("MaxPool", kernel_shape=[3, 3], strides=[2, 2], auto_pad="SAME_LOWER"),
    "max_k3s2_ceil": one("MaxPool", kernel_shape=[3, 3], strides=[2, 2], ceil_mode=1),
    "lp_pool": one("LpPool", kernel_shape=[2, 2], strides=[2, 2]),
    "rz_nearest_asym_round": resize("nearest", "asymmetric", 2.0),
    "rz_nearest_half_floor": resize("nearest", "half_pixel", 2.0, "floor"),
    "rz_nearest_half_ceil": resize("nearest", "half_pixel", 2.0, "round_prefer_ceil"),
    "rz_nearest_align": resize("nearest", "align_corners", 2.0),
    "rz_nearest_asym_3": resize("nearest", "asymmetric", 3.0, "floor"),
    "rz_nearest_down": resize("nearest", "asymmetric", 0.5, "floor"),
    "rz_nearest_w_only": resize("nearest", "asymmetric", (1.0, 2.0), "floor"),
    "rz_nearest_sizes": lambda n, x: n.add("Resize", x, "", "", I([1, 16, 64, 64]), mode="nearest", coordinate_transformation_mode="asymmetric", nearest_mode="floor"),
    "rz_linear_sizes": lambda n, x: n.add("Resize", x, "", "", I([1, 16, 64, 64]), mode="linear", coordinate_transformation_mode="half_pixel"),
    "rz_linear_pytorch_3": resize("linear", "pytorch_half_pixel", 3.0),
    "rz_linear_half_8": resize("linear", "half_pixel", 8.0),
    "rz_linear_half_1_5": resize("linear", "half_pixel", 1.5),
    "rz_linear_half_down": resize("linear", "half_pixel", 0.5),
    "rz_linear_h_only": resize("linear", "half_pixel", (2.0, 1.0)),
    "rz_cubic": resize("cubic", "half_pixel", 2.0),
    "pad_const_none": one("Pad", I([0, 0, 2, 1, 0, 0, 0, 3])),
    "pad_channels": one("Pad", I([0, 4, 0, 0, 0, 4, 0, 0]), F(0).reshape(())),
    "pad_minus_one": one("Pad", I([0, 0, 1, 1, 0, 0, 1, 1]), F(-1).reshape(())),
    "pad_crop": one("Pad", I([0, 0, -2, -2, 0, 0, -2, -2])),
    "pad_reflect_then_conv": one("Pad", I([0, 0, 3, 3, 0, 0, 3, 3]), mode="reflect"),
    "pad_then_avg": chain(step("Pad", I([0, 0, 1, 1, 0, 0, 1, 1])), step("AveragePool", kernel_shape=[3, 3], strides=[2, 2])),
    "sl_last_rows": sliced([-4], [2 ** 31], [2]),
    "sl_every_third": sliced([0], [32], [3], [3]),
    "sl_channels_2": sliced([0], [16], [1], [2]),
    "sl_two_axes_step": sliced([1, 1], [32, 32], [2, 3], [2, 2]),
    "sp_uneven": split(1, [3, 5, 8]), "sp_four_w": split(3, [8, 8, 8, 8]), "sp_tokens": on_tokens(split(2, [8, 8])),
    "cc_const": lambda n, x: n.add("Concat", x, n.rng.normal(size=(1, 2, 32, 32)), axis=1),
    "cc_tokens_class": on_tokens(lambda n, x: n.add("Concat", n.rng.normal(size=(1, 1, 16)), x, axis=1)),
    "cc_scales": lambda n, x: n.add("Concat", n.add("Sigmoid", x), n.add("Relu", n.conv(x, 16, 8, 1)), n.add("MaxPool", x, kernel_shape=[3, 3], pads=[1] * 4, strides=[1, 1]), axis=1),
    "roll_h": roll(2), "roll_w": roll(3), "window": window, "pixel_unshuffle": unshuffle,
    "tr_0321": one("Transpose", perm=[0, 3, 2, 1]), "tr_1023": one("Transpose", perm=[1, 0, 2, 3]),
    "tr_resized": chain(step("Transpose", perm=[0, 2, 3, 1]), step("Resize", "", I((1, 1, 2, 2), F), mode="nearest", coordinate_transformation_mode="asymmetric", nearest_mode="floor")),
    "rs_5d": chain(step("Reshape", I([1, 2, 8, 32, 32])), step("Transpose", perm=[0, 2, 1, 3, 4]), step("Reshape", I([1, 16, 32, 32]))),
    "flatten_2": one("Flatten", axis=2), "unsqueeze_end": one("Unsqueeze", I([4])),
    "gather_channels": one("Gather", I([0, 3, 2, 1]), axis=1), "gather_row": one("Gather", I(0), axis=2),
    "tile_hw": one("Tile", I([1, 1, 2, 2])), "expand_channels": lambda n, x: n.add("Expand", n.reduced(x, "ReduceMean", [1]), I([1, 16, 32, 32])),
    "s2d_2": one("SpaceToDepth", blocksize=2), "d2s_dcr_2": one("DepthToSpace", blocksize=2), "d2s_crd_4": one("DepthToSpace", blocksize=4, mode="CRD"),
    "add_row": one("Add", numpy.linspace(-1, 1, 32)), "add_tensor": lambda n, x: n.add("Add", x, n.rng.normal(size=(1, 16, 32, 32))),
    "add_gate": two("Add"), "sub_two": two("Sub"), "div_two": two("Div"), "max_two": two("Max"), "min_two": two("Min"), "pow_two": lambda n, x: two("Pow")(n, n.add("Sigmoid", x)),
    "pow_3": one("Pow", F(3)), "pow_minus_half": chain(step("Abs"), step("Add", F(1)), step("Pow", F(-0.5))), "mul_scalar": one("Mul", F(0.125)),
    "div_const_channels": lambda n, x: n.add("Div", x, n.rng.uniform(1, 2, size=(16, 1, 1))), "max_zero": one("Max", F(0)), "min_six": one("Min", F(6)),
    "clip_low": one("Clip", F(-0.5)), "clip_high": one("Clip", "", F(6)), "relu_min": chain(step("Relu"), step("Min", F(6))),
    "se_sigmoid": lambda n, x: gate(n, x, "Sigmoid"), "se_clip": lambda n, x: n.add("Mul", x, n.add("Div", n.add("Clip", n.add("Add", n.conv(n.add("GlobalAveragePool", x), 16, 16, 1), F(3)), F(0), F(6)), F(6))),
    "se_tanh": lambda n, x: gate(n, x, "Tanh"), "se_hard_02": lambda n, x: gate(n, x, "HardSigmoid", alpha=0.2),
    "tan": one("Tan"), "cos": one("Cos"), "sinh": one("Sinh"), "ceil": one("Ceil"), "softplus": one("Softplus"), "elu_half": one("Elu", alpha=0.5),
    "selu": one("Selu"), "leaky_0": one("LeakyRelu", alpha=0.0), "leaky_3": one("LeakyRelu", alpha=0.3), "prelu_shared": one("PRelu", I([0.25])),
    "shrink": one("Shrink", lambd=0.5), "swish_beta": lambda n, x: n.add("Mul", x, n.add("Sigmoid", n.add("Mul", x, F(1.5)))),
    "mish_written": lambda n, x: n.add("Mul", x, n.add("Tanh", n.add("Log", n.add("Add", n.add("Exp", x), F(1))))),
    "gelu_quick": gelu("sigmoid"), "gelu_mul": gelu("erf"), "where_mask": masked, "not_equal": lambda n, x: n.add("Cast", n.add("Less", x, F(0)), to=1),
    "softmax_w": one("Softmax", axis=3), "softmax_h": one("Softmax", axis=2), "softmax_flat": on_flat(one("Softmax", axis=1)),
    "softmax_heads": lambda n, x: n.add("Softmax", attention(n, x), axis=-1), "log_softmax": on_flat(one("LogSoftmax", axis=-1)),
    "softmax_tokens": on_tokens(one("Softmax", axis=1)), "hardmax": on_flat(one("Hardmax", axis=1)),
    "attention_scores": attention, "mm_bias_tokens": on_tokens(lambda n, x: n.project(x, 16, 32)), "mm_const_4d": lambda n, x: n.add("MatMul", x, n.rng.normal(size=(32, 32))),
    "mm_left_const": lambda n, x: n.add("MatMul", n.rng.normal(size=(8, 32)), x), "mm_self": on_tokens(lambda n, x: n.add("MatMul", n.add("Transpose", x, perm=[0, 2, 1]), x)),
    "gemm_plain": on_flat(lambda n, x: n.add("Gemm", x, n.rng.normal(size=(16, 8)))), "gemm_beta": on_flat(lambda n, x: n.add("Gemm", x, n.rng.normal(size=(8, 16)), n.rng.normal(size=8), transB=1, alpha=0.5, beta=2.0)),
    "gemm_two": on_flat(lambda n, x: n.add("Gemm", x, n.add("Reshape", n.add("GlobalAveragePool", n.conv("x", 3, 128, 1)), I([16, 8])))),
    "mean_w": lambda n, x: n.reduced(x, "ReduceMean", [3]), "mean_hw_drop": lambda n, x: n.reduced(x, "ReduceMean", [2, 3], 0), "mean_tokens": on_tokens(lambda n, x: n.reduced(x, "ReduceMean", [1], 0)),
    "mean_all": lambda n, x: n.reduced(x, "ReduceMean", [1, 2, 3]), "max_hw": lambda n, x: n.reduced(x, "ReduceMax", [2, 3]), "max_c": lambda n, x: n.reduced(x, "ReduceMax", [1]),
    "sum_hw_drop": lambda n, x: n.reduced(x, "ReduceSum", [2, 3], 0), "l2_hw": lambda n, x: n.reduced(x, "ReduceL2", [2, 3]), "l1_w": lambda n, x: n.reduced(x, "ReduceL1", [3]),
    "log_sum": lambda n, x: n.reduced(n.add("Sigmoid", x), "ReduceLogSum", [1]),
    "ln_tokens_pow": on_tokens(layer_norm("Pow", "Sqrt")), "ln_tokens_mul": on_tokens(layer_norm("Mul", "Sqrt")), "ln_tokens_pow_half": on_tokens(layer_norm("Pow", "Pow")),
    "ln_tokens_bare": on_tokens(layer_norm("Pow", "Sqrt", weights=None)), "ln_channels_first": layer_norm("Pow", "Sqrt", (1,), (16, 1, 1)), "ln_two_axes": layer_norm("Pow", "Sqrt", (2, 3), (32, 32)),
    "group_norm": group_norm, "l2_no_expand": l2_norm(True, False), "l2_no_clip": l2_norm(False, True), "l2_bare": l2_norm(False, False), "l2_w": l2_norm(True, True, 3),
    "mvn": one("MeanVarianceNormalization"), "lp_norm_c": one("LpNormalization", axis=1), "bn_after_relu": lambda n, x: n.norm(n.add("Relu", x), 16), "bn_after_add": lambda n, x: n.norm(n.add("Add", x, n.conv(x, 16, 16, 1)), 16),
    "cv_1x7": conv(16, (1, 7), pads=[0, 3, 0, 3]), "cv_asym_pads": conv(16, (3, 3), pads=[0, 0, 1, 1], strides=[2, 2]), "cv_same_lower": conv(16, (4, 4), auto_pad="SAME_LOWER"),
    "cv_valid": conv(16, (3, 3), auto_pad="VALID"), "cv_dil_6": conv(16, (3, 3), dilations=[6, 6], pads=[6] * 4), "cv_dil_18": conv(16, (3, 3), dilations=[18, 18], pads=[18] * 4),
    "cv_dil_1x4": conv(16, (3, 3), dilations=[1, 4], pads=[1, 4, 1, 4]), "cv_dw_dil_2": conv(16, (3, 3), 16, dilations=[2, 2], pads=[2] * 4), "cv_dw_dil_12": conv(16, (3, 3), 16, dilations=[12, 12], pads=[12] * 4),
    "cv_no_bias": conv(16, (3, 3), bias=False), "cv_dw_k5": conv(16, (5, 5), 16, pads=[2] * 4), "cv_g2_s2": conv(32, (3, 3), 2, strides=[2, 2]), "cv_k13": conv(16, (13, 13), pads=[6] * 4), "cv_dynamic": dynamic_conv,
    "ct_k4s2p1": deconv(16, 4, strides=[2, 2], pads=[1] * 4), "ct_k3s2_out": deconv(16, 3, strides=[2, 2], pads=[1] * 4, output_padding=[1, 1]), "ct_k3s1": deconv(16, 3, pads=[1] * 4), "ct_dw": deconv(16, 4, 16, strides=[2, 2], pads=[1] * 4),
    "argmin": counted, "cumsum_c": one("CumSum", I(1)), "gru": gru, "trunc": lambda n, x: n.add("Cast", n.add("Cast", x, to=6), to=1), "mod": lambda n, x: n.add("Mod", x, F(1), fmod=1),
    "scatter_rows": lambda n, x: n.add("ScatterND", x, I([[0, 3]]), n.rng.normal(size=(1, 32, 32))), "identity_twice": chain(step("Identity"), step("Identity")), "dropout": one("Dropout"),
}


def build(name, path):
    n = Net(13, seed=len(name), x=[1, 3, 32, 32])
    y = CASES[name](n, n.conv("x", 3, 16))
    n.save(path, y)
    shape = onnx.load(path).graph.output[0].type.tensor_type.shape
    dims = [d.dim_value for d in shape.dim]
    if len(dims) == 4 and min(dims) > 0 and dims[0] == 1:
        n.save(path, n.conv(y, dims[1], 8, 1))
