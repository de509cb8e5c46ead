package dev.rollcall.linux.bpf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class BtfTest {
  private static final String STRINGS = "\0a\0b\0task\0in\0color\0red\0";

  /**
   * {@code struct task { int a; typedef struct { union { int b; }; } in; }} and {@code enum color {
   * red = 7 }}, by hand.
   */
  private static byte[] small() {
    ByteBuffer types = ByteBuffer.allocate(1024).order(ByteOrder.nativeOrder());
    type(types, "", 1, 0, 4).putInt(32); // 1: int
    type(types, "", 5, 1, 4); // 2: anonymous union
    member(types, "b", 1, 0);
    type(types, "", 4, 1, 8); // 3: anonymous struct
    member(types, "", 2, 32);
    type(types, "", 8, 0, 3); // 4: typedef of it
    type(types, "task", 4, 2, 12); // 5
    member(types, "a", 1, 0);
    member(types, "in", 4, 32);
    type(types, "color", 6, 1, 4); // 6
    types.putInt(STRINGS.indexOf("\0red\0") + 1).putInt(7);
    byte[] strings = STRINGS.getBytes(StandardCharsets.US_ASCII);
    int length = types.position();
    ByteBuffer all =
        ByteBuffer.allocate(24 + length + strings.length).order(ByteOrder.nativeOrder());
    all.putShort((short) 0xeb9f).put((byte) 1).put((byte) 0).putInt(24);
    all.putInt(0).putInt(length).putInt(length).putInt(strings.length);
    return all.put(types.flip()).put(strings).array();
  }

  private static ByteBuffer type(ByteBuffer to, String name, int kind, int members, int last) {
    return to.putInt(name(name)).putInt(kind << 24 | members).putInt(last);
  }

  private static void member(ByteBuffer to, String name, int type, int bits) {
    to.putInt(name(name)).putInt(type).putInt(bits);
  }

  private static int name(String name) {
    return name.isEmpty() ? 0 : STRINGS.indexOf("\0" + name + "\0") + 1;
  }

  @Test
  void findsMembersThroughTypedefsAndAnonymousMembers() throws Exception {
    Btf btf = Btf.parse(small());

    assertEquals(0, btf.offset("task", "a"));
    assertEquals(4, btf.offset("task", "in"));
    assertEquals(8, btf.offset("task", "in.b"));
    assertEquals(7, btf.enumerator("red"));
    assertTrue(btf.has("task", "a"));
    assertFalse(btf.has("task", "b"));
  }

  @Test
  void whatIsMissingIsNamed() throws Exception {
    Btf btf = Btf.parse(small());

    assertEquals(
        "the kernel's BTF has no task.in.z",
        assertThrows(MalformedBtfException.class, () -> btf.offset("task", "in.z")).getMessage());
    assertThrows(MalformedBtfException.class, () -> btf.offset("nothing", "a"));
    assertThrows(MalformedBtfException.class, () -> btf.enumerator("blue"));
  }

  @Test
  void btfCutAnywhereIsAnError() {
    byte[] whole = small();
    for (int length = 0; length < whole.length; length++) {
      byte[] cut = java.util.Arrays.copyOf(whole, length);
      assertThrows(MalformedBtfException.class, () -> Btf.parse(cut), "length " + length);
    }
  }

  @Test
  void randomDamageEndsInAnAnswerOrAnErrorAndNeverHangs() {
    Random random = new Random(20261120);
    byte[] whole = small();
    int answers = 0;
    for (int round = 0; round < 50_000; round++) {
      byte[] damaged = whole.clone();
      for (int damage = random.nextInt(1, 6); damage > 0; damage--) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
      }
      answers += answers(damaged) ? 1 : 0;
    }
    assertTrue(answers > 0 && answers < 50_000, answers + " of the damaged could be read");
  }

  private static boolean answers(byte[] damaged) {
    try {
      Btf btf = Btf.parse(damaged);
      return btf.offset("task", "in.b") >= 0 && btf.enumerator("red") >= 0;
    } catch (MalformedBtfException e) {
      return false;
    }
  }

  @Test
  @Tag("root")
  void readsThisKernels() throws Exception {
    Btf btf = Btf.read(Btf.OF_KERNEL);

    assertTrue(btf.offset("task_struct", "tgid") > 0);
    assertEquals(0, btf.offset("sock", "__sk_common.skc_daddr"));
    assertTrue(btf.has("net", "ns.inum"));
  }
}
