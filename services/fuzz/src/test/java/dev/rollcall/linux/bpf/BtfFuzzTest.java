package dev.rollcall.linux.bpf;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;

/** BTF, as another kernel may write it. */
class BtfFuzzTest {
  @FuzzTest
  void fuzz(byte[] input) {
    try {
      Btf btf = Btf.parse(input);
      btf.has("task_struct", "real_cred");
      assertTrue(btf.offset("task_struct", "a.b") >= 0);
      assertTrue(btf.enumerator("BPF_MAP_TYPE_HASH") >= 0);
    } catch (MalformedBtfException e) {
      assertTrue(String.valueOf(e.getMessage()).contains("BTF"), e.getMessage());
    }
  }
}
