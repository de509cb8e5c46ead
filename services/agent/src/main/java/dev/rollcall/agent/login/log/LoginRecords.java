package dev.rollcall.agent.login.log;

import dev.rollcall.agent.event.RecordedLogin;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Finds the records in bytes of the log of logins, and frames those of the agent, as
 * services/pam/src/record.h lays them out. Behind what is no record it goes on at the next mark.
 */
final class LoginRecords {
  /** Bytes of a record with its mark, length and checksum. */
  static final int LONGEST = 4_096;

  private static final int AROUND = 12;

  /** "RCLg", the lowest byte first. */
  private static final int MARK = 0x674c_4352;

  private static final int MARK_BYTES = 4;

  /** The content of the bytes from {@code at} to {@code end}. */
  sealed interface Part {
    int at();

    int end();

    record Login(RecordedLogin login, int at, int end) implements Part {}

    /**
     * No record that counts.
     *
     * @param detail for people; may be empty
     */
    record Skipped(SkippedBytes why, String detail, int at, int end) implements Part {}
  }

  /**
   * The parts of some bytes.
   *
   * @param used so many bytes need not be read again; a record that is being written may begin
   *     behind them
   */
  record Found(List<Part> parts, int used) {}

  private final ByteBuffer bytes;
  private final String bootId;
  private final boolean last;
  private final List<Part> parts = new ArrayList<>();

  private LoginRecords(ByteBuffer bytes, String bootId, boolean last) {
    this.bytes = bytes.slice().order(ByteOrder.LITTLE_ENDIAN);
    this.bootId = bootId;
    this.last = last;
  }

  /**
   * Reads all of them.
   *
   * @param last whether nothing follows: a record that is not whole will not be
   */
  static Found find(ByteBuffer bytes, String bootId, boolean last) {
    return new LoginRecords(bytes, bootId, last).find();
  }

  /** The bytes of a record in the log. */
  static byte[] framed(byte[] message) {
    var crc = new CRC32C();
    crc.update(message);
    return ByteBuffer.allocate(AROUND + message.length)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(MARK)
        .putInt(message.length)
        .putInt((int) crc.getValue())
        .put(message)
        .array();
  }

  private Found find() {
    int at = 0;
    while (at < bytes.limit()) {
      int mark = markFrom(at);
      if (mark > at) {
        skip(SkippedBytes.NO_MARK, at, mark);
      }
      int next = mark == bytes.limit() ? mark : part(mark);
      if (next == mark) {
        return new Found(parts, mark);
      }
      at = next;
    }
    return new Found(parts, at);
  }

  /** Where the next mark is, or may begin; the end if there is none. */
  private int markFrom(int from) {
    int at = from;
    while (at + MARK_BYTES <= bytes.limit() && bytes.getInt(at) != MARK) {
      at++;
    }
    while (at < bytes.limit() && !mayBeginMark(at)) {
      at++;
    }
    return at;
  }

  private boolean mayBeginMark(int at) {
    int known = Math.min(MARK_BYTES, bytes.limit() - at);
    for (int i = 0; i < known; i++) {
      if (bytes.get(at + i) != (byte) (MARK >>> (Byte.SIZE * i))) {
        return false;
      }
    }
    return known == MARK_BYTES || !last;
  }

  /** Reads the record at this mark. Returns its end, or the mark if more must be read. */
  private int part(int mark) {
    int rest = bytes.limit() - mark;
    if (rest < AROUND) {
      return unfinished(mark);
    }
    int length = bytes.getInt(mark + MARK_BYTES);
    if (length < 0 || length > LONGEST - AROUND) {
      return skip(SkippedBytes.LENGTH, mark, markFrom(mark + 1));
    }
    if (rest < AROUND + length) {
      return unfinished(mark);
    }
    if (!isWhole(mark)) {
      return skip(SkippedBytes.CHECKSUM, mark, markFrom(mark + 1));
    }
    int end = mark + AROUND + length;
    parts.add(LoginRecord.read(bytes.slice(mark + AROUND, length), bootId, mark, end));
    return end;
  }

  /** A record behind it proves that it will never be whole. */
  private int unfinished(int mark) {
    for (int next = markFrom(mark + 1); next < bytes.limit(); next = markFrom(next + 1)) {
      if (last || isWhole(next)) {
        return skip(SkippedBytes.CUT, mark, next);
      }
    }
    return last ? skip(SkippedBytes.CUT, mark, bytes.limit()) : mark;
  }

  private boolean isWhole(int mark) {
    int rest = bytes.limit() - mark - AROUND;
    if (rest < 0) {
      return false;
    }
    int length = bytes.getInt(mark + MARK_BYTES);
    if (length < 0 || length > rest || length > LONGEST - AROUND) {
      return false;
    }
    var crc = new CRC32C();
    crc.update(bytes.slice(mark + AROUND, length));
    return (int) crc.getValue() == bytes.getInt(mark + 2 * MARK_BYTES);
  }

  private int skip(SkippedBytes why, int from, int to) {
    parts.add(new Part.Skipped(why, "", from, to));
    return to;
  }
}
