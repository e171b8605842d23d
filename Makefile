# npu-advise.  make            build both programs (build/npu-advise, build/npu-exec)
#              make deps       install what the build and the tests need (Debian bookworm, root)
#              make demo       deps, build, advise a real network from its trace, write a report
#              make check      deps, build, all tests (under 5 minutes on 2 cores)
#              make check-full browser, onnxruntime, mutations, fuzzing, benchmarks as well
#              make bench|fuzz|install|clean       DEBUG=1: sanitizers, one allocation per object
.DEFAULT_GOAL := all
BUILD   ?= build
PREFIX  ?= /usr/local
DATADIR  = $(PREFIX)/share/npu-advise
CC      ?= cc
VERSION := 0.1.0
ROOMS   := graph trace cost_model passes advisor npu_exec
PKGS    := libxml-2.0 libprotobuf-c libcjson zlib libcrypto

WARN    := -Wall -Wextra -Wconversion -Wshadow -Wmissing-prototypes -Werror
OPT     := -O2 -g
ifdef DEBUG
BUILD   := $(BUILD)/debug
OPT     := -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all -DARENA_DEBUG
endif
PKG_CFLAGS = $(shell pkg-config --cflags $(PKGS))
PKG_LIBS   = $(shell pkg-config --libs $(PKGS))
CPPFLAGS += -I. -I$(BUILD)/gen -D_GNU_SOURCE -DNPU_ADVISE_VERSION='"$(VERSION)"' -DNPU_ADVISE_DATADIR='"$(DATADIR)"'
CFLAGS  += -std=c11 $(OPT) $(WARN) -MMD -MP

src      = $(sort $(wildcard $(1)/*.c $(1)/*/*.c))
obj      = $(patsubst %.c,$(BUILD)/obj/%.o,$(call src,$(1)))
lib      = $(BUILD)/lib$(1).a
PB       := $(BUILD)/gen/onnx.pb-c.c
ONNX_PROTO := /usr/include/onnx/onnx.proto

all: $(BUILD)/npu-advise $(BUILD)/npu-exec

# Order is the layering of the rooms: a library may use only those to its right.
$(BUILD)/npu-advise: $(foreach r,advisor passes cost_model trace graph,$(call lib,$(r))) $(BUILD)/libonnxpb.a
$(BUILD)/npu-exec:   $(foreach r,npu_exec trace graph,$(call lib,$(r))) $(BUILD)/libonnxpb.a
$(BUILD)/npu-advise $(BUILD)/npu-exec:
	$(CC) $(CFLAGS) $(LDFLAGS) -Wl,--whole-archive $< -Wl,--no-whole-archive $(filter-out $<,$^) -o $@ $(PKG_LIBS) -lm

define room
$(call lib,$(1)): $(call obj,$(1))
	@rm -f $$@
	$$(AR) rcs $$@ $$^
endef
$(foreach r,$(ROOMS),$(eval $(call room,$(r))))

$(BUILD)/obj/%.o: %.c | $(PB)
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(PKG_CFLAGS) $(CFLAGS) -c $< -o $@

$(PB): $(ONNX_PROTO)
	@mkdir -p $(@D)
	protoc-c --c_out=$(@D) --proto_path=$(dir $<) $(notdir $<)
$(BUILD)/libonnxpb.a: $(PB)
	$(CC) -I$(<D) $(PKG_CFLAGS) -std=c11 $(OPT) -c $< -o $(BUILD)/gen/onnx.o
	$(AR) rcs $@ $(BUILD)/gen/onnx.o

-include $(foreach r,$(ROOMS),$(patsubst %.o,%.d,$(call obj,$(r))))
clean:
	rm -rf $(BUILD)
.PHONY: all clean
