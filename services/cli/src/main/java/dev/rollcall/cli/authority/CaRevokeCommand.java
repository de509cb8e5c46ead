package dev.rollcall.cli.authority;

import dev.rollcall.authority.Issued;
import dev.rollcall.cli.text.Printing;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Takes a certificate back. */
@Command(
    name = "revoke",
    description = "Put a certificate on the revocation list, crl.pem of the authority's directory.")
final class CaRevokeCommand implements Callable<Integer> {
  @Mixin private final CaDirectory directory = new CaDirectory();
  @Mixin private final Printing printing = new Printing();

  @Parameters(paramLabel = "CERTIFICATE", description = "Its file, or its serial number.")
  private String certificate = "";

  @Override
  public Integer call() {
    return directory.open(authority -> {
      Issued issued = authority.revoke(CaDirectory.file(authority, certificate));
      Instant now = Instant.now();
      var list = authority.list();
      return printing.print(
          "%s%nnow copy %s to the gateways and agents, as their tls.crl"
              .formatted(CertificatePrinter.text(issued, now), list),
          CertificatePrinter.json(issued, now, List.of(list)));
    });
  }
}
