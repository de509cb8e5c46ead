package dev.rollcall.cli.authority;

import dev.rollcall.authority.Authority;
import dev.rollcall.cli.exit.ExitCode;
import dev.rollcall.cli.text.JsonFields;
import dev.rollcall.cli.text.Printing;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Makes an authority. */
@Command(name = "init", description = "Make a certificate authority for one cluster.")
final class CaInitCommand implements Callable<Integer> {
  @Mixin private final CaDirectory directory = new CaDirectory();
  @Mixin private final Printing printing = new Printing();

  @Option(
      names = "--cluster",
      paramLabel = "NAME",
      required = true,
      description = "The cluster whose certificates it signs.")
  private String cluster = "";

  @Option(
      names = "--days",
      paramLabel = "NUMBER",
      defaultValue = "3652",
      description = "Days of validity (default: ${DEFAULT-VALUE}, ten years).")
  private int days;

  @Override
  public Integer call() {
    return CaDirectory.named(() -> {
      try (var authority =
          Authority.init(
              directory.path(), cluster, CaDirectory.days(days), InstantSource.system())) {
        Instant expires = authority.certificate().getNotAfter().toInstant();
        JsonFields json =
            new JsonFields()
                .with("cluster", authority.cluster())
                .with("directory", directory.path().toString())
                .with("subject", authority.certificate().getSubjectX500Principal().getName())
                .with("expires", expires.toString());
        printing.print(
            "authority of cluster %s in %s, valid until %s%nkeep ca.key secret: it can issue any certificate of the cluster"
                .formatted(authority.cluster(), directory.path(), CertificatePrinter.day(expires)),
            json);
      }
      return ExitCode.OK.status();
    });
  }
}
