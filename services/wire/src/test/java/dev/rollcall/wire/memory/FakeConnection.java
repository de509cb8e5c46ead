package dev.rollcall.wire.memory;

/** A connection that notes that it was closed. */
final class FakeConnection implements PeerConnection {
  private final PeerKind kind;
  private final Object account;
  private final long received;
  boolean closed;

  FakeConnection(PeerKind kind, Object account, long received) {
    this.kind = kind;
    this.account = account;
    this.received = received;
  }

  @Override
  public PeerKind kind() {
    return kind;
  }

  @Override
  public Object account() {
    return account;
  }

  @Override
  public long received() {
    return received;
  }

  @Override
  public void close() {
    closed = true;
  }

  @Override
  public String toString() {
    return kind + " " + account;
  }
}
