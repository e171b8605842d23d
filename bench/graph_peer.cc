// The peer of bench/graph.py: libonnx's own parser and shape inference, in C++.
//   graph_peer MODEL [parse]    prints {"load_s", "infer_s"}: processor time
#include <onnx/onnx_pb.h>
#include <onnx/shape_inference/implementation.h>

#include <fcntl.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl.h>
#include <stdio.h>
#include <time.h>

static double cpu_s()
{
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) / 1e9;
}

int main(int argc, char **argv)
{
    onnx::ModelProto model;
    double start = cpu_s();
    int fd = argc >= 2 ? open(argv[1], O_RDONLY) : -1;
    google::protobuf::io::FileInputStream file(fd);
    google::protobuf::io::CodedInputStream in(&file);
    in.SetTotalBytesLimit(INT32_MAX);
    if (fd < 0 || !model.ParseFromCodedStream(&in))
        return 1;
    double loaded = cpu_s();
    if (argc == 2)
        onnx::shape_inference::InferShapes(model);
    printf("{\"load_s\": %.6f, \"infer_s\": %.6f}\n", loaded - start, cpu_s() - loaded);
    return 0;
}
