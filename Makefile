# npu-advise.  make            build both programs (build/npu-advise, build/npu-exec)
#              make deps       install what the build and the tests need (Debian bookworm, root)
#              make demo       deps, build, advise a real network from its trace, write a report
#              make check      deps, build, all tests (under 5 minutes on 2 cores)
#              make check-sanitized  clang's warnings; unit tests, kept fuzz inputs and hostile cases with sanitizers
#              make check-full both, then browser, onnxruntime, mutations, fuzzing, benchmarks as well
#              make bench|fuzz|install|uninstall|clean
#              make dist       the sources, a list of what they are built with (CycloneDX) and their sums, in build/dist
#              make deb        packages for the distribution that they are made on, in build/deb
#              make wheel      the Python package with both programs, for pip, in build/wheel
#              make coverage   lines and branches that the cases reach, by folder
# DEBUG=1: sanitizers, one allocation per object.  V=1: commands in full.
.DEFAULT_GOAL := all
BUILD   ?= build
PREFIX  ?= /usr/local
ZSHDIR  ?= $(PREFIX)/share/zsh/site-functions
LIBDIR  ?= $(PREFIX)/lib
DATADIR  = $(PREFIX)/share/npu-advise
CC      ?= cc
OBJCOPY ?= objcopy
VERSION := 0.1.0
# The page that alerts lead to: docs/rules.md as your organisation serves it.
RULES_URL ?= https://npu-advise.example/docs/rules.md
MODULES   := graph trace cost_model passes advisor npu_exec
PKGS    := yaml-0.1 libxml-2.0 libprotobuf-c libcjson zlib nettle sqlite3 libseccomp
# npu-exec alone: pictures as data to run a model on.
EXEC_PKGS := libpng libjpeg

Q       := $(if $(V),,@)
# Warnings of compilers that we have not tried are no reason not to build: -Werror is for `make check`.
WARN    := -Wall -Wextra -Wconversion -Wshadow -Wmissing-prototypes -Wno-enum-float-conversion $(if $(STRICT),-Werror)
OPT     := -O2 -g
HARDEN  := -fstack-protector-strong -fPIE -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2
# The same bytes wherever the tree lies.
HARDEN  += -ffile-prefix-map=$(CURDIR)=.
HARD_LD := -pie -Wl,-z,relro,-z,now
ifdef DEBUG
HARDEN  := -fPIE
BUILD   := $(BUILD)/debug
OPT     := -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all -DARENA_DEBUG
endif
PKG_CFLAGS = $(shell pkg-config --cflags $(PKGS) $(EXEC_PKGS))
PKG_LIBS   = $(shell pkg-config --libs $(PKGS))
EXEC_LINK  = $(shell pkg-config --libs $(EXEC_PKGS))
CPPFLAGS += -I. -I$(BUILD)/gen -D_GNU_SOURCE -DNPU_ADVISE_VERSION='"$(VERSION)"' -DNPU_ADVISE_DATADIR='"$(DATADIR)"' \
            -DNPU_ADVISE_RULES_URL='"$(RULES_URL)"'
CFLAGS  += -std=c11 $(OPT) $(HARDEN) $(WARN) -MMD -MP
LDFLAGS += $(HARD_LD)

src      = $(sort $(wildcard $(1)/*.c $(1)/*/*.c $(1)/*/*/*.c))
obj      = $(patsubst %.c,$(BUILD)/obj/%.o,$(call src,$(1)))
lib      = $(BUILD)/lib$(1).a
PB       := $(BUILD)/gen/onnx.pb-c.c
ONNX_PROTO := /usr/include/onnx/onnx.proto
# The vendor's graphs: a schema of our own.
DFG_PB   := $(BUILD)/gen/dfg.pb-c.c
DFG_PROTO := graph/import/dfg.proto
# Tables that sources include.
TABLES   := $(patsubst %.xml,$(BUILD)/gen/%.def,graph/options/options.xml graph/options/option_groups.xml advisor/options/commands.xml advisor/rules/levers.xml advisor/rules/fact_rows.xml graph/infer/ops.xml graph/compile/compiler_keys.xml graph/compile/machine_words.xml graph/compile/program_words.xml cost_model/cost_words.xml graph/edit/opset_forms.xml graph/edit/spellings.xml graph/edit/edits.xml graph/edit/rewrites.xml graph/compile/stages.xml graph/model/dtypes.xml passes/pipeline.xml npu_exec/data/recipes.xml graph/compile/run_options.xml npu_exec/values/unary.xml npu_exec/values/binary.xml trace/readers/furiosa_columns.xml advisor/render/forms/csv_columns.xml graph/onnx/magic_bytes.xml graph/onnx/onnx_fields.xml trace/readers/binary_files.xml advisor/render/tables/trace_columns.xml passes/op_mix.xml advisor/report/accuracy_metrics.xml advisor/report/result_items.xml advisor/cli/command_words.xml advisor/cli/manual.xml advisor/cli/manual_heads.xml advisor/cli/help_texts.xml advisor/cli/doctor_scripts.xml advisor/fleet/fleet_queries.xml advisor/render/program/memory_page.xml advisor/render/program/lowered_rows.xml advisor/cli/shells.xml advisor/act/gate/gate_metrics.xml trace/readers/event_fields.xml trace/readers/reader_words.xml trace/readers/strangers.xml trace/readers/furiosa_spans.xml graph/compile/canonical_ops.xml graph/infer/data_inputs.xml graph/infer/fold_unary.xml graph/infer/fold_binary.xml graph/compile/substitutes.xml npu_exec/values/kernels.xml graph/compile/simple_ops.xml graph/tflite/tflite_binary.xml graph/edit/plain_ops.xml graph/onnx/first_words.xml graph/import/tensorrt_work.xml cost_model/forms.xml advisor/render/forms/formats.xml graph/options/trace_tables.xml trace/readers/trace_formats.xml graph/import/vendor_ops.xml graph/import/vendor_attributes.xml advisor/advise/compiled/layer_words.xml advisor/advise/compiled/layer_rows.xml advisor/advise/compiled/layer_kinds.xml graph/base/sandbox_calls.xml npu_exec/session/exec_targets.xml npu_exec/session/exec_together.xml npu_exec/sim/run_figures.xml graph/tflite/tflite_ops.xml npu_exec/sim/silicon.xml npu_exec/sim/silicon_geometry.xml trace/readers/tensorrt_stages.xml trace/readers/engine_messages.xml advisor/render/html/page_sections.xml npu_exec/sim/task_work.xml advisor/candidate/comparer_metrics.xml advisor/options/checks.xml trace/readers/tensorrt_signs.xml graph/import/rknn_words.xml advisor/advise/compiled/table_rules.xml advisor/validation/measures.xml trace/readers/pytorch_categories.xml graph/compile/option_setters.xml graph/edit/identities.xml)

libs: $(foreach r,$(MODULES),$(call lib,$(r))) $(BUILD)/libonnxpb.a
all: libs $(BUILD)/npu-advise $(BUILD)/npu-exec $(BUILD)/cc $(BUILD)/installed/libnpu_exec.a

# How this tree is compiled, for tests that build a program against its libraries.
$(BUILD)/cc: Makefile
	@mkdir -p $(@D)
	@echo '$(CC) $(OPT)' > $@

# Order is the layering of the modules: a library may use only those to its right.
$(BUILD)/npu-advise: $(call obj,advisor)  $(foreach r,passes cost_model trace graph,$(call lib,$(r))) $(BUILD)/libonnxpb.a
$(BUILD)/npu-exec:   $(call obj,npu_exec) $(foreach r,trace graph,$(call lib,$(r))) $(BUILD)/libonnxpb.a
$(BUILD)/npu-advise $(BUILD)/npu-exec:
	@echo "ld $@"
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) $^ -o $@ $(if $(filter %npu-exec,$@),$(EXEC_LINK)) $(PKG_LIBS) -lm

# For programs of others: one object that shows what npu_exec.h declares, and nothing else.
$(BUILD)/installed/libnpu_exec.a: $(foreach r,npu_exec trace graph,$(call obj,$(r))) $(BUILD)/libonnxpb.a
	@mkdir -p $(@D)
	@echo "ar $@"
	@rm -f $@
	$(Q)$(LD) -r -o $(@D)/npu_exec.o $(filter-out %/exec_main.o,$(filter %.o,$^)) $(PB_OBJ)
	$(Q)$(OBJCOPY) --wildcard --keep-global-symbol='npu_session_*' --keep-global-symbol='npu_profiler_*' $(@D)/npu_exec.o
	@$(AR) rcs $@ $(@D)/npu_exec.o

define module_library
$(call lib,$(1)): $(call obj,$(1))
	@rm -f $$@
	@$$(AR) rcs $$@ $$^
endef
$(foreach r,$(MODULES),$(eval $(call module_library,$(r))))

# The headers of the C library, read once: a quarter of the time that compiling takes.  Without the .gch, the copy is read.
PCH      := $(BUILD)/pch/libc.h
$(PCH): graph/base/libc.h
	@mkdir -p $(@D)
	@grep -v '^#pragma once' $< > $@
$(PCH).gch: $(PCH) Makefile
	$(Q)$(CC) $(CPPFLAGS) $(PKG_CFLAGS) $(filter-out -MMD -MP,$(CFLAGS)) -x c-header $< -o $@
$(BUILD)/obj/%.o: %.c $(PCH).gch | $(PB) $(DFG_PB) $(BUILD)/gen/default_target.h $(BUILD)/gen/advisor/report/result.h $(BUILD)/gen/messages $(TABLES)
	@mkdir -p $(@D)
	@echo "cc $<"
	$(Q)$(CC) $(CPPFLAGS) $(PKG_CFLAGS) $(CFLAGS) -include $(PCH) -c $< -o $@

# gcc 12 for arm64 breaks off there (vect_transform_reduction).
$(BUILD)/obj/cost_model/setup/resemblance.o: CFLAGS += -fno-tree-vectorize

$(ONNX_PROTO):
	@echo "$@ is missing: \`make deps\` as root installs what the build needs (packaging/deps.sh lists it)"; false

$(PB): $(ONNX_PROTO)
	@mkdir -p $(@D)
	@echo "protoc-c $(notdir $<)"
	$(Q)protoc-c --c_out=$(@D) --proto_path=$(dir $<) $(notdir $<)
$(DFG_PB): $(DFG_PROTO)
	@mkdir -p $(@D)
	@echo "protoc-c $(notdir $<)"
	$(Q)protoc-c --c_out=$(@D) --proto_path=$(dir $<) $(notdir $<)
$(DFG_PB:.c=.h): $(DFG_PB)
PB_OBJ   := $(BUILD)/gen/onnx.o $(BUILD)/gen/dfg.o
$(PB_OBJ): $(BUILD)/gen/%.o: $(BUILD)/gen/%.pb-c.c
	$(Q)$(CC) -I$(<D) $(PKG_CFLAGS) -std=c11 $(OPT) $(HARDEN) -c $< -o $@
$(BUILD)/libonnxpb.a: $(PB_OBJ)
	@$(AR) rcs $@ $^

# The style and the script of the report, and the schema of a fleet's file, as C string literals.
$(BUILD)/gen/%.inc: %
	@mkdir -p $(@D)
	sed 's/^ *//; /^\/\//d; s, // .*,,; s/[\\"]/\\&/g; s/.*/"&\\n"/' $< > $@
PAGE_INC = $(foreach s,report workbench,$(addprefix $(BUILD)/gen/advisor/render/html/style/$(s).,css.inc js.inc))
$(BUILD)/obj/advisor/render/html/html_page.o: $(PAGE_INC)
SCHEMA_INC = $(BUILD)/gen/docs/schema/fleet.sql.inc
$(BUILD)/obj/advisor/fleet/fleet_file.o: $(SCHEMA_INC)

$(TABLES): $(BUILD)/gen/%.def: %.xml packaging/table_from_xml
	@mkdir -p $(@D)
	@packaging/table_from_xml $< > $@.new && mv $@.new $@
COMPUTED := $(BUILD)/gen/advisor/message/char_widths.inc $(BUILD)/gen/npu_exec/sim/noise_tables.inc
$(BUILD)/gen/advisor/message/char_widths.inc: packaging/char_widths
$(BUILD)/gen/npu_exec/sim/noise_tables.inc: packaging/noise_tables
$(COMPUTED):
	@mkdir -p $(@D)
	@$< > $@.new && mv $@.new $@
$(BUILD)/obj/advisor/message/plain.o $(BUILD)/obj/npu_exec/sim/noise.o: $(COMPUTED)

# The types of the result and the tables of their fields, from the schema.
RESULT_GEN := $(BUILD)/gen/advisor/report/result.h
$(RESULT_GEN): packaging/result_from_schema docs/schema/result.json
	@mkdir -p $(@D)
	@packaging/result_from_schema docs/schema $(@D)

# The English of the messages; a header is as old as its text.
MESSAGES := $(foreach r,graph/base cost_model passes npu_exec/sim advisor/message,$(BUILD)/gen/$(r)/messages.h)
$(BUILD)/gen/messages: packaging/messages_from_language rules/lang/en.xml
	@packaging/messages_from_language rules/lang/en.xml $(@D) && touch $@
$(MESSAGES): $(BUILD)/gen/messages
	@:

# The data files that ship, checked against their schemas now, so that the programs need not at every start.
DATA := $(wildcard rules/bundles/*/* rules/*.xml rules/targets/*.xml rules/schema/*.rng npu_exec/silicon/*)
$(BUILD)/gen/sound_files.inc: packaging/sound_files.sh $(DATA)
	@mkdir -p $(@D)
	@packaging/sound_files.sh > $@.new && mv $@.new $@
$(BUILD)/obj/graph/base/xml.o: $(BUILD)/gen/sound_files.inc
$(BUILD)/gen/default_target.h: packaging/default_target.sh $(DATA)
	@mkdir -p $(@D)
	@packaging/default_target.sh > $@.new && { cmp -s $@.new $@ || mv $@.new $@; }

# ---- tests -------------------------------------------------------------------------------------
LIBS      = $(foreach r,advisor passes cost_model trace graph,$(call lib,$(r))) $(BUILD)/libonnxpb.a
EXEC_LIBS = $(foreach r,npu_exec trace graph,$(call lib,$(r))) $(BUILD)/libonnxpb.a
UNIT     := $(patsubst tests/unit/%.c,$(BUILD)/unit/%,$(sort $(wildcard tests/unit/test_*.c)))
FUZZ     := $(patsubst tests/fuzz/%.c,$(BUILD)/fuzz/%,$(sort $(wildcard tests/fuzz/*.c)))

# test_exec* sees the executor, every other test the advisor's modules: never both in one program.
EXEC_UNIT := $(filter $(BUILD)/unit/test_exec%,$(UNIT))
$(EXEC_UNIT): $(EXEC_LIBS)
$(filter-out $(EXEC_UNIT),$(UNIT)): $(LIBS)
$(UNIT): $(BUILD)/unit/%: tests/unit/%.c
	@mkdir -p $(@D)
	@echo "cc $<"
	$(Q)$(CC) $(CPPFLAGS) $(PKG_CFLAGS) $(CFLAGS) -include $(PCH) $< $(filter %.a,$^) -o $@ $(if $(filter $(EXEC_UNIT),$@),$(EXEC_LINK)) $(PKG_LIBS) -lm
# So do three fuzz targets.
EXEC_FUZZ := $(addprefix $(BUILD)/fuzz/,exec image values)
$(EXEC_FUZZ): $(EXEC_LIBS)
$(filter-out $(EXEC_FUZZ),$(FUZZ)): $(LIBS)
$(FUZZ): $(BUILD)/fuzz/%: tests/fuzz/%.c
	@mkdir -p $(@D)
	@echo "cc $<"
	$(Q)$(CC) $(CPPFLAGS) $(PKG_CFLAGS) $(CFLAGS) $< $(filter %.a,$^) -o $@ $(if $(filter $(EXEC_FUZZ),$@),$(EXEC_LINK)) $(PKG_LIBS) -lm

# The leak checker ends in a signal where threads that go on have met a library that was opened while it ran, as oneDNN is.
units: $(UNIT)
	@for t in $(UNIT); do case $$t in */test_exec_onednn) export ASAN_OPTIONS=detect_leaks=0;; *) unset ASAN_OPTIONS;; esac; $$t > $$t.log || { cat $$t.log; exit 1; }; echo "unit $${t##*/}: $$(wc -l < $$t.log) checks"; done
replay: $(FUZZ) all
	@tests/fuzz/replay $(BUILD)
# The form of the sources, and what the other compiler says of them.
C_DIRS    = $(MODULES) tests/unit tests/fuzz tests/tools bench docs
CLANG_W   = $(filter-out -MMD -MP,$(CFLAGS)) -fsyntax-only
format:
	@command -v clang-format-14 >/dev/null || { echo "format: skipped, clang-format 14 is not here"; exit 0; }; \
	find $(C_DIRS) -name '*.[ch]' | sort | xargs -P$$(nproc) -n 40 clang-format-14 --dry-run -Werror && echo "format: as .clang-format says"
style: format $(PB) $(DFG_PB) $(RESULT_GEN) $(TABLES) $(BUILD)/gen/messages $(BUILD)/gen/sound_files.inc $(BUILD)/gen/default_target.h $(PAGE_INC) $(SCHEMA_INC) $(COMPUTED)
	@command -v clang-14 >/dev/null || { echo "style: skipped, clang 14 is not here"; exit 0; }; \
	find $(C_DIRS) -name '*.c' | sort | xargs -P$$(nproc) -n 20 clang-14 $(CPPFLAGS) $(PKG_CFLAGS) $(CLANG_W) && echo "style: clang has nothing to say"
check: deps
	@$(MAKE) --no-print-directory format
	@$(MAKE) --no-print-directory -j$$(nproc) STRICT=1 all units
	@tests/layers . $(BUILD)
	@tests/tools/names.py
	@tests/run --build $(BUILD)
	@tests/tools/rules_fired.py $(BUILD)/tests
# The other compiler's warnings, and what reads untrusted input with the address and undefined-behaviour sanitizers.
check-sanitized: deps
	@$(MAKE) --no-print-directory STRICT=1 style
	@$(MAKE) --no-print-directory -j$$(nproc) DEBUG=1 STRICT=1 all units replay
	@tests/run --build $(BUILD)/debug --filter given-back,hostile,many-models,traces-varied,accuracy-resume
	@ASAN_OPTIONS=detect_leaks=0 tests/run --build $(BUILD)/debug --filter kernels-agree
check-full: check check-sanitized
	@tests/full/run $(BUILD)
# Bundles and cases in the vendor's own quantizers, whose packages pip fetches.
check-vendor: all
	@tests/tools/vendor_venvs.sh $(BUILD)
	@tests/full/run $(BUILD) closed_loop.py opset_vendor.py rknn_convert.py rknn_vendor.py vendor_advice.py vendor_drawn.py vendor_folds.py vendor_placement.py vendor_quantize.py vendor_records.py
bench: all
	@bench/run $(BUILD)
fuzz:
	@tests/fuzz/run $(BUILD) $(or $(MINUTES),30)
demo: deps
	@$(MAKE) --no-print-directory -j$$(nproc) all
	@packaging/demo.sh $(BUILD)
dist:
	@packaging/dist $(BUILD)/dist $(VERSION) "$(PKGS) $(EXEC_PKGS)"
deb:
	@packaging/deb $(BUILD)/deb $(VERSION)
wheel: all
	@packaging/wheel $(BUILD)/wheel $(VERSION) $(BUILD)
coverage:
	@tests/full/coverage $(BUILD)/coverage
docs: all
	$(BUILD)/npu-advise rules --format md > docs/rules.md.new && mv docs/rules.md.new docs/rules.md
deps:
	@packaging/deps.sh

install: all
	@packaging/install $(BUILD) $(VERSION) "$(DESTDIR)" $(PREFIX) $(LIBDIR) $(ZSHDIR) "$(PKGS) $(EXEC_PKGS)"
# What install wrote, and the folders that are empty then.
uninstall:
	@packaging/install --remove $(BUILD) $(VERSION) "$(DESTDIR)" $(PREFIX) $(LIBDIR) $(ZSHDIR) "$(PKGS) $(EXEC_PKGS)"

-include $(foreach r,$(MODULES),$(patsubst %.o,%.d,$(call obj,$(r))))
-include $(FUZZ:=.d) $(UNIT:=.d)
clean:
	rm -rf $(BUILD)
.PHONY: dist deb wheel uninstall coverage docs all libs clean units replay format style check check-sanitized check-full check-vendor bench fuzz demo deps install
