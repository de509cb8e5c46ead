# Fuzzing under libFuzzer, included by the Makefiles of pam, brief and container. They define `fuzzed`, the list of
# targets, and `fuzzers`, which builds the programs of $(FUZZ) in $(fuzzing).
fuzzing := target/fuzzing
fuzzer  := -O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -U_FORTIFY_SOURCE
FUZZ    ?= $(fuzzed)
RUNS    ?= 1000000

# Long inputs find nothing that shorter ones do not: a whole reply has 32 KiB, and its parts repeat.
fuzz: fuzzers
	@set -e; for one in $(FUZZ); do \
	  mkdir -p $(fuzzing)/corpus/$$one; \
	  $(fuzzing)/$${one}_fuzz -runs=$(RUNS) -max_len=4096 -timeout=10 -print_final_stats=1 -artifact_prefix=$(fuzzing)/$$one- $(fuzzing)/corpus/$$one fuzz/corpus/$$one; \
	done

fuzz-minimize: fuzzers
	@set -e; for one in $(FUZZ); do \
	  mkdir -p $(fuzzing)/corpus/$$one; rm -rf $(fuzzing)/least; mkdir $(fuzzing)/least; \
	  find fuzz/corpus/$$one -type f ! -name '????????????????????????????????????????' -exec cp -t $(fuzzing)/least {} +; \
	  $(fuzzing)/$${one}_fuzz -merge=1 -max_len=4096 $(fuzzing)/least fuzz/corpus/$$one $(fuzzing)/corpus/$$one; \
	  rm -rf fuzz/corpus/$$one; mv $(fuzzing)/least fuzz/corpus/$$one; \
	done

.PHONY: fuzz fuzz-minimize
