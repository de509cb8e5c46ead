package dev.rollcall.gateway.batch;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** A stream that fails where it would give more than is to be read. */
final class BoundedInput extends FilterInputStream {
  /** Says how much is too much. */
  static final class TooLongException extends IOException {
    private static final long serialVersionUID = 1L;

    private TooLongException(long most) {
      super("it wrote more than " + most + " bytes");
    }
  }

  private final long most;
  private long given;

  BoundedInput(InputStream from, long most) {
    super(from);
    this.most = most;
  }

  @Override
  public int read() throws IOException {
    int read = super.read();
    if (read >= 0) {
      count(1);
    }
    return read;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    int read = super.read(into, offset, length);
    count(Math.max(0, read));
    return read;
  }

  private void count(int read) throws IOException {
    given += read;
    if (given > most) {
      throw new TooLongException(most);
    }
  }
}
