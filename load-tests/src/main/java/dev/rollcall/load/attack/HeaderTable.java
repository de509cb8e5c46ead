package dev.rollcall.load.attack;

import io.vertx.core.buffer.Buffer;

/** Makes header blocks that use the dynamic table of HPACK (RFC 7541) of one connection. */
final class HeaderTable {
  /** An indexed field (section 6.1): the newest entry of the dynamic table. */
  private static final byte NEWEST = (byte) (0x80 | 62);

  /** A literal field that enters the table (section 6.2.1), with a new name. */
  private static final byte ENTERS = 0x40;

  /** The size of the table becomes 0, and 4,096 again (section 6.3). */
  private static final byte[] RESIZED = {0x20, 0x3f, (byte) 0xe1, 0x1f};

  /** Just fits into a table of 4,096 bytes: an entry takes 32 more. */
  private static final int LARGEST = 4_000;

  private final Buffer first;
  private int entered;

  /**
   * @param first the fields that each request begins with, none of which enters the table
   */
  HeaderTable(Buffer first) {
    this.first = first;
  }

  /**
   * @param how a word of {@link Verb#TABLE}
   * @param count further fields
   */
  Buffer block(String how, int count) {
    Buffer block = Buffer.buffer();
    if (how.equals("resize")) {
      block.appendBytes(RESIZED);
    }
    block.appendBuffer(first);
    if (how.equals("bomb") && entered++ == 0) {
      enter(block, "x".repeat(LARGEST));
    }
    for (int i = 0; i < count; i++) {
      if (how.equals("bomb")) {
        block.appendByte(NEWEST);
      } else {
        enter(block, Integer.toString(entered++));
      }
    }
    return block;
  }

  private static void enter(Buffer block, String value) {
    block.appendByte(ENTERS).appendByte((byte) 1).appendByte((byte) 'x');
    int most = 0x7f;
    int length = value.length();
    if (length < most) {
      block.appendByte((byte) length);
    } else {
      block.appendByte((byte) most);
      int rest = length - most;
      while (rest > most) {
        block.appendByte((byte) ((rest & most) | 0x80));
        rest >>= 7;
      }
      block.appendByte((byte) rest);
    }
    block.appendString(value);
  }
}
