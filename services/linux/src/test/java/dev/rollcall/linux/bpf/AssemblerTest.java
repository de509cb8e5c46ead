package dev.rollcall.linux.bpf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.linux.bpf.Assembler.Size;
import java.util.HexFormat;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class AssemblerTest {
  /** As llvm-objdump writes the same program: RFC 9669, little-endian. */
  @Test
  void writesWhatTheKernelReads() {
    byte[] code =
        new Assembler()
            .load(Size.WORD, 7, 6, 0)
            .jumpIfNotEqual(7, 3, "end")
            .storeValue(Size.DOUBLE, 10, -8, 0)
            .setLong(2, 0x1122334455667788L)
            .addAtomically(0, 0, 1)
            .label("end")
            .set(0, 1)
            .exit()
            .bytes();

    assertEquals(
        "6167000000000000"
            + "5507040003000000"
            + "7a0af8ff00000000"
            + "1802000088776655"
            + "0000000044332211"
            + "db10000000000000"
            + "b700000001000000"
            + "9500000000000000",
        HexFormat.of().formatHex(code));
  }

  @Test
  void aJumpNeedsALabelAhead() {
    Assembler back = new Assembler().label("loop").set(0, 0).jump("loop");
    assertThrows(IllegalStateException.class, back::bytes);
    assertThrows(IllegalStateException.class, new Assembler().jump("nowhere")::bytes);
    assertThrows(IllegalStateException.class, () -> back.label("loop"));
  }

  @Test
  @Tag("root")
  void aProgramThatTheVerifierRefusesEndsWithItsWords() {
    byte[] noResult = new Assembler().exit().bytes();

    RefusedProgramException e =
        assertThrows(
            RefusedProgramException.class,
            () ->
                BpfProgram.load(BpfProgram.Type.SOCK_OPS, "bad", "Dual MIT/GPL", noResult).close());

    assertTrue(String.valueOf(e.getMessage()).contains("R0 !read_ok"), e.getMessage());
  }
}
