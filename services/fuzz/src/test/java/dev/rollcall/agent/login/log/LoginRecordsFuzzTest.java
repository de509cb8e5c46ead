package dev.rollcall.agent.login.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.rollcall.agent.event.Adoption.Outcome;
import dev.rollcall.agent.event.RecordedLogin;
import dev.rollcall.agent.login.log.LoginRecords.Found;
import dev.rollcall.agent.login.log.LoginRecords.Part;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * The log of logins: the parts that are found follow each other without a gap, and behind any bytes
 * a whole record is found. Each input once more as a message of its own.
 */
class LoginRecordsFuzzTest {
  private static final String BOOT = "5e1dca1f-6f4b-4c1b-9d4c-000000000001";

  @FuzzTest
  void fuzz(byte[] input) {
    followEachOther(LoginRecords.find(ByteBuffer.wrap(input), BOOT, /* last= */ false), input);
    Found last = LoginRecords.find(ByteBuffer.wrap(input), BOOT, /* last= */ true);
    followEachOther(last, input);
    assertEquals(input.length, last.used());
    byte[] empty = framed(new byte[0]);
    ByteBuffer followed = ByteBuffer.allocate(input.length + empty.length).put(input).put(empty);
    Part found = LoginRecords.find(followed.flip(), BOOT, /* last= */ true).parts().getLast();
    assertEquals(input.length + empty.length, found.end());
    if (input.length <= LoginRecords.LONGEST - 12) {
      var parts = LoginRecords.find(ByteBuffer.wrap(framed(input)), BOOT, false).parts();
      assertEquals(1, parts.size());
      obeyed(parts.getFirst());
    }
  }

  private static void followEachOther(Found found, byte[] input) {
    int at = 0;
    for (Part part : found.parts()) {
      assertEquals(at, part.at());
      assertTrue(part.end() > at, "no bytes");
      at = part.end();
      obeyed(part);
    }
    assertEquals(at, found.used());
    assertTrue(at <= input.length && input.length - at < LoginRecords.LONGEST);
  }

  private static void obeyed(Part part) {
    if (part instanceof Part.Login(RecordedLogin login, int _, int _)) {
      var adoption = login.adoption();
      assertFalse(adoption.id().isBlank());
      assertEquals(adoption.outcome() == Outcome.ADOPTED, adoption.job().isPresent());
      assertFalse(adoption.took().isNegative());
      assertFalse(login.published());
    }
  }

  private static byte[] framed(byte[] message) {
    var crc = new CRC32C();
    crc.update(message);
    return ByteBuffer.allocate(12 + message.length)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(0x674c4352)
        .putInt(message.length)
        .putInt((int) crc.getValue())
        .put(message)
        .array();
  }
}
