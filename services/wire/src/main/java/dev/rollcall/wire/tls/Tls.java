package dev.rollcall.wire.tls;

/** An identity, or the files that it is in. */
public sealed interface Tls permits TlsFiles, TlsIdentity {
  /**
   * The identity, read now if it was not before.
   *
   * @throws IllegalArgumentException naming the file and what is wrong with it
   */
  TlsIdentity identity();
}
