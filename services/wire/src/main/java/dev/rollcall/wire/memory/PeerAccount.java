package dev.rollcall.wire.memory;

/** As whom a {@link MemoryBudget} counts a peer; a value with {@code equals}. */
public interface PeerAccount {
  PeerKind kind();

  /** The kind of any value: what is no account is a user. */
  static PeerKind kind(Object peer) {
    return peer instanceof PeerAccount account ? account.kind() : PeerKind.USER;
  }
}
