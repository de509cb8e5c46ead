package dev.rollcall.load.attack;

import java.io.IOException;
import java.util.Arrays;

/** Cuts what is sent into pieces, each sent at once: as they come, or of a fixed length. */
final class Pieces {
  private static final int DEFAULT = 16_000;

  /** So that one operation ends: what is left then is one piece. */
  private static final int MOST = 5_000;

  private int length;

  /**
   * @param wanted bytes; 0 for what is usual
   */
  void are(int wanted) {
    length = wanted;
  }

  boolean areUsual() {
    return length == 0;
  }

  /** The length of the next piece of the rest of a message. */
  int next(int sent, int rest) {
    int wanted = length == 0 || sent / length >= MOST ? DEFAULT : length;
    return Math.min(wanted, rest);
  }

  void write(byte[] bytes, Speech.Sink sink) throws IOException {
    if (areUsual()) {
      sink.write(bytes);
      return;
    }
    for (int at = 0; at < bytes.length; ) {
      int next = next(at, bytes.length - at);
      sink.write(Arrays.copyOfRange(bytes, at, at + next));
      sink.flush();
      at += next;
    }
  }
}
