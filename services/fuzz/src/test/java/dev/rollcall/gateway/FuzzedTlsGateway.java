package dev.rollcall.gateway;

import dev.rollcall.wire.grpc.FuzzedPki;
import java.io.IOException;
import java.util.Optional;

/** A {@link FuzzedGateway} that wants certificates, with an authority of its own. */
public final class FuzzedTlsGateway implements AutoCloseable {
  private final FuzzedPki pki = FuzzedPki.make(FuzzedGateway.CLUSTER);
  public final FuzzedGateway gateway = new FuzzedGateway(Optional.of(pki.server()));

  public FuzzedTlsGateway() throws IOException {}

  /** The port, and the directory of the authority. */
  public String address() {
    return gateway.address() + " " + pki.directory();
  }

  @Override
  public void close() throws IOException {
    gateway.close();
    pki.close();
  }
}
