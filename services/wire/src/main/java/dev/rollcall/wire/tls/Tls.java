package dev.rollcall.wire.tls;

/** A TLS identity, or the files that contain it. */
public sealed interface Tls permits TlsFiles, TlsIdentity {
  /**
   * The identity, read now if it was not before.
   *
   * @throws IllegalArgumentException naming the file and what is wrong with it
   */
  TlsIdentity identity();
}
