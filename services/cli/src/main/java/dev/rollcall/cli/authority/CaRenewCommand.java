package dev.rollcall.cli.authority;

import dev.rollcall.authority.Authority;
import dev.rollcall.authority.AuthorityException;
import dev.rollcall.authority.Issued;
import dev.rollcall.authority.KeyFile;
import dev.rollcall.authority.Names;
import dev.rollcall.authority.Request;
import dev.rollcall.cli.text.Printing;
import java.io.IOException;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.PublicKey;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Gives another certificate to the holder of one. */
@Command(
    name = "renew",
    description = "Issue another certificate with the same names; the old one stays valid.")
final class CaRenewCommand implements Callable<Integer> {
  @Mixin private final CaDirectory directory = new CaDirectory();
  @Mixin private final CaOutput output = new CaOutput();
  @Mixin private final Printing printing = new Printing();

  @Parameters(
      paramLabel = "CERTIFICATE",
      description = "The old one: its file, or its serial number.")
  private String certificate = "";

  @ArgGroup private @Nullable Key key;

  @Option(
      names = "--days",
      paramLabel = "NUMBER",
      defaultValue = "365",
      description = "Days of validity (default: ${DEFAULT-VALUE}).")
  private int days;

  /** By default a new key is made here. */
  static final class Key {
    @Option(names = "--keep-key", description = "Use the old key, which is not moved.")
    private boolean keep;

    @Option(
        names = "--request",
        paramLabel = "FILE",
        description = "Use the key of this request, which must ask for the same names.")
    private @Nullable Path request;
  }

  @Override
  public Integer call() {
    return directory.open(authority -> {
      Path old = CaDirectory.file(authority, certificate);
      Key chosen = key;
      boolean fresh = chosen == null || (!chosen.keep && chosen.request == null);
      output.prepare(authority, fresh);
      Optional<KeyPair> made = fresh ? Optional.of(KeyFile.generate()) : Optional.empty();
      Optional<PublicKey> holder =
          chosen == null || chosen.request == null
              ? made.map(KeyPair::getPublic)
              : Optional.of(requested(authority, old, chosen.request));
      Issued issued = authority.renew(old, holder, CaDirectory.days(days));
      return CertificatePrinter.print(printing, issued, output.write(authority, issued, made));
    });
  }

  private static PublicKey requested(Authority authority, Path old, Path file)
      throws IOException, AuthorityException {
    Request asked = Request.read(file);
    Names names = authority.known(old).names();
    if (!asked.names().equals(names)) {
      throw new IllegalArgumentException(
          "%s asks for %s, but the certificate is for %s".formatted(file, asked.names(), names));
    }
    return asked.key();
  }
}
