package dev.rollcall.cli.authority;

import dev.rollcall.authority.Authority;
import dev.rollcall.authority.AuthorityException;
import dev.rollcall.authority.Issued;
import dev.rollcall.authority.KeyFile;
import dev.rollcall.authority.Names;
import dev.rollcall.authority.Request;
import dev.rollcall.cli.ask.Users;
import dev.rollcall.cli.exit.CommandFailure;
import dev.rollcall.cli.text.Printing;
import java.io.IOException;
import java.nio.file.Path;
import java.security.KeyPair;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Gives a certificate away. */
@Command(
    name = "issue",
    description = "Issue a certificate: with a new key, or for the key of a request.")
final class CaIssueCommand implements Callable<Integer> {
  @Mixin private final CaNames names = new CaNames();
  @Mixin private final CaDirectory directory = new CaDirectory();
  @Mixin private final CaOutput output = new CaOutput();
  @Mixin private final CaApproval approval = new CaApproval();
  @Mixin private final Printing printing = new Printing();

  @Option(
      names = "--request",
      paramLabel = "FILE",
      description =
          "Sign this request. It must be for ROLE and NAME, and for exactly the addresses, hosts"
              + " and ports given here, if any are.")
  private @Nullable Path request;

  @Option(
      names = "--days",
      paramLabel = "NUMBER",
      defaultValue = "365",
      description = "Days of validity (default: ${DEFAULT-VALUE}).")
  private int days;

  private final Users users;

  CaIssueCommand(Users users) {
    this.users = users;
  }

  @Override
  public Integer call() {
    return directory.open(authority -> {
      Path file = request;
      return file == null ? withNewKey(authority) : requested(authority, file);
    });
  }

  private int withNewKey(Authority authority) throws IOException, AuthorityException {
    if (approval.isGiven()) {
      throw CommandFailure.usage("--approval needs --request");
    }
    Names asked = names.of(authority.cluster());
    output.prepare(authority, true);
    KeyPair keys = KeyFile.generate();
    Issued issued = authority.issue(keys.getPublic(), asked, CaDirectory.days(days));
    return CertificatePrinter.print(
        printing, issued, output.write(authority, issued, Optional.of(keys)));
  }

  private int requested(Authority authority, Path file) throws IOException, AuthorityException {
    Request asked = Request.read(file);
    Names confirmed = names.confirmed(asked.names(), authority.cluster());
    output.prepare(authority, false);
    if (approval.isGiven()) {
      approval.use(authority, asked, users);
    }
    Issued issued = authority.issue(asked.key(), confirmed, CaDirectory.days(days));
    return CertificatePrinter.print(
        printing, issued, output.write(authority, issued, Optional.empty()));
  }
}
