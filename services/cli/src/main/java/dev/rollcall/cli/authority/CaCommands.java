package dev.rollcall.cli.authority;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.Objects.requireNonNull;

import dev.rollcall.authority.Authority;
import dev.rollcall.authority.AuthorityException;
import dev.rollcall.authority.Issued;
import dev.rollcall.authority.KeyFile;
import dev.rollcall.authority.Names;
import dev.rollcall.authority.Request;
import dev.rollcall.authority.WholeFile;
import dev.rollcall.cli.ask.NodeNames;
import dev.rollcall.cli.ask.Users;
import dev.rollcall.cli.exit.CommandFailure;
import dev.rollcall.cli.exit.CommandGroup;
import dev.rollcall.cli.exit.ExitCode;
import dev.rollcall.cli.text.JsonFields;
import dev.rollcall.cli.text.Printing;
import dev.rollcall.linux.munge.Encoded;
import dev.rollcall.linux.munge.Munge;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.PublicKey;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The certificate authority of sites that have no other. Asks nobody. */
@Command(name = "ca", description = "Make, renew and revoke certificates, without a site's PKI.")
public final class CaCommands extends CommandGroup {
  /** Of an approval: as long as munged allows if it is not told otherwise, munged(8). */
  private static final Duration LIFE = Duration.ofHours(1);

  private final Users users;

  private CaCommands(Users users) {
    this.users = users;
  }

  public static CommandLine all(Users users) {
    return inOrder(
        new CommandLine(new CaCommands(users)),
        "init",
        "request",
        "approve",
        "issue",
        "renew",
        "revoke",
        "show");
  }

  @Command(
      mixinStandardHelpOptions = true,
      description = "Make a certificate authority for one cluster.")
  int init(
      @Mixin CaDirectory directory,
      @Mixin Printing printing,
      @Option(
              names = "--cluster",
              paramLabel = "NAME",
              required = true,
              description = "The cluster whose certificates it signs.")
          String cluster,
      @Option(
              names = "--days",
              paramLabel = "NUMBER",
              defaultValue = "3652",
              description = "Days of validity (default: ${DEFAULT-VALUE}, ten years).")
          int days) {
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
        return printing.print(
            "authority of cluster %s in %s, valid until %s%nkeep ca.key secret: it can issue any certificate of the cluster"
                .formatted(authority.cluster(), directory.path(), CertificatePrinter.day(expires)),
            json);
      }
    });
  }

  /** Makes a key where it is to be used, and the request that goes to the authority. */
  @Command(
      mixinStandardHelpOptions = true,
      description = "Make a private key on this machine, and a request for its certificate.")
  int request(
      @Mixin CaNames names,
      @Mixin CaOutput output,
      @Mixin Printing printing,
      @Option(
              names = "--cluster",
              paramLabel = "NAME",
              required = true,
              description = "The cluster that the holder belongs to.")
          String cluster) {
    return CaDirectory.named(() -> {
      Names asked = names.of(cluster);
      output.prepare(List.of(CaOutput.KEY, CaOutput.REQUEST));
      KeyPair keys = KeyFile.generate();
      List<Path> files =
          output.write(
              List.of(
                  output.part(CaOutput.KEY, KeyFile.pem(keys.getPrivate()), WholeFile.SECRET),
                  output.part(CaOutput.REQUEST, Request.pem(keys, asked), WholeFile.PUBLIC)));
      Path key = files.getFirst();
      Path file = files.getLast();
      String fingerprint = Request.read(file).fingerprint();
      return printing.print(
          "%s: request %s%nwrote %s, which stays here%nwrote %s, for 'rollcall ca issue --request'"
              .formatted(asked, fingerprint, key, file),
          CertificatePrinter.json(asked)
              .with("fingerprint", fingerprint)
              .with("files", List.of(key.toString(), file.toString())));
    });
  }

  /** Approves a request in the name of the user who runs the command. */
  @Command(
      mixinStandardHelpOptions = true,
      description = "Approve a request with munge, and print the value for 'ca issue --approval'.")
  int approve(
      @Mixin Printing printing,
      @Option(
              names = "--request",
              paramLabel = "FILE",
              required = true,
              description = "The request. 'ca show FILE' shows its contents.")
          Path request,
      @Option(
              names = "--munge-socket",
              paramLabel = "PATH",
              defaultValue = "/run/munge/munge.socket.2",
              description = "The socket of munged (default: ${DEFAULT-VALUE}).")
          Path socket) {
    return CaDirectory.named(() -> {
      Request asked = Request.read(request);
      return switch (new Munge(socket).encode(CaApproval.payload(asked), LIFE)) {
        case Encoded.Credential(String text) ->
            printing.print(
                text,
                new JsonFields().with("fingerprint", asked.fingerprint()).with("approval", text));
        case Encoded.Unavailable(String reason) ->
            throw new CommandFailure(ExitCode.UNAVAILABLE, reason);
      };
    });
  }

  @Command(
      mixinStandardHelpOptions = true,
      description = "Issue a certificate: with a new key, or for the key of a request.")
  int issue(
      @Mixin CaNames names,
      @Mixin CaDirectory directory,
      @Mixin CaOutput output,
      @Mixin CaApproval approval,
      @Mixin Printing printing,
      @Option(
              names = "--request",
              paramLabel = "FILE",
              description =
                  "Sign this request. It must be for ROLE and NAME, and for exactly the addresses,"
                      + " hosts and ports given here, if any are.")
          @Nullable Path request,
      @Option(
              names = "--requests",
              description =
                  "Of a host list only nodes with a request.csr in their directory: sign it, if it asks"
                      + " for exactly this role, this name and its addresses.")
          boolean requests,
      @Option(
              names = "--days",
              paramLabel = "NUMBER",
              defaultValue = "365",
              description = "Days of validity (default: ${DEFAULT-VALUE}).")
          int days) {
    if (request == null && approval.isGiven()) {
      throw CommandFailure.usage("--approval needs --request");
    }
    Optional<NodeNames> list = CaDirectory.named(names::list);
    if (list.isPresent() && request != null) {
      throw CommandFailure.usage(
          "a host list takes each request from the directory of its node: omit --request");
    }
    if (list.isEmpty() && requests) {
      throw CommandFailure.usage("--requests needs a host list");
    }
    return directory.open(authority -> {
      if (list.isPresent()) {
        return Fleet.run(
            printing,
            list.get().names(),
            new FleetIssue(authority, names, output, CaDirectory.days(days), requests));
      }
      Optional<Request> asked =
          request == null ? Optional.empty() : Optional.of(Request.read(request));
      Names holder =
          asked.isEmpty()
              ? names.of(authority.cluster())
              : names.confirmed(asked.get().names(), authority.cluster());
      output.prepare(authority, asked.isEmpty());
      if (asked.isPresent() && approval.isGiven()) {
        approval.use(authority, asked.get(), users);
      }
      Optional<KeyPair> made = asked.isEmpty() ? Optional.of(KeyFile.generate()) : Optional.empty();
      PublicKey key = asked.map(Request::key).or(() -> made.map(KeyPair::getPublic)).orElseThrow();
      Issued issued = authority.issue(key, holder, CaDirectory.days(days));
      return CertificatePrinter.print(printing, issued, output.write(authority, issued, made));
    });
  }

  /** By default a new key is made here. */
  static final class RenewedKey {
    @Option(names = "--keep-key", description = "Use the old key, which is not moved.")
    private boolean keep;

    @Option(
        names = "--request",
        paramLabel = "FILE",
        description = "Use the key of this request, which must ask for the same names.")
    private @Nullable Path request;
  }

  @Command(
      mixinStandardHelpOptions = true,
      description = "Issue another certificate with the same names; the old one stays valid.")
  int renew(
      @Mixin CaDirectory directory,
      @Mixin CaOutput output,
      @Mixin Printing printing,
      @Parameters(
              paramLabel = "CERTIFICATE",
              arity = "0..1",
              description = "The old one: its file, or its serial number.")
          @Nullable String certificate,
      @Option(
              names = "--within",
              paramLabel = "NUMBER",
              description =
                  "Renew all that end within so many days, for their old keys, each in a directory of"
                      + " its name.")
          @Nullable Integer within,
      @ArgGroup @Nullable RenewedKey key,
      @Option(
              names = "--days",
              paramLabel = "NUMBER",
              defaultValue = "365",
              description = "Days of validity (default: ${DEFAULT-VALUE}).")
          int days) {
    if ((certificate == null) == (within == null) || (within != null && key != null)) {
      throw CommandFailure.usage(
          "either CERTIFICATE, or --within without --keep-key and --request");
    }
    return directory.open(authority -> {
      if (certificate == null) {
        return FleetRenewal.run(
            authority,
            output,
            printing,
            CaDirectory.days("--within", requireNonNull(within)),
            CaDirectory.days(days));
      }
      Path old = CaDirectory.file(authority, certificate);
      boolean fresh = key == null || (!key.keep && key.request == null);
      output.prepare(authority, fresh);
      Optional<KeyPair> made = fresh ? Optional.of(KeyFile.generate()) : Optional.empty();
      Optional<PublicKey> holder =
          key == null || key.request == null
              ? made.map(KeyPair::getPublic)
              : Optional.of(requested(authority, old, key.request));
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

  @Command(
      mixinStandardHelpOptions = true,
      description =
          "Put a certificate on the revocation list, crl.pem of the authority's directory.")
  int revoke(
      @Mixin CaDirectory directory,
      @Mixin Printing printing,
      @Parameters(paramLabel = "CERTIFICATE", description = "Its file, or its serial number.")
          String certificate) {
    return directory.open(authority -> {
      Issued issued = authority.revoke(CaDirectory.file(authority, certificate));
      Instant now = Instant.now();
      Path list = authority.list();
      return printing.print(
          "%s%nnow copy %s to the gateways and agents, as their tls.crl"
              .formatted(CertificatePrinter.text(issued, now), list),
          CertificatePrinter.json(issued, now, List.of(list)));
    });
  }

  @Command(
      mixinStandardHelpOptions = true,
      description = "Show all issued certificates, one certificate, or a request.")
  int show(
      @Mixin CaDirectory directory,
      @Mixin Printing printing,
      @Parameters(
              paramLabel = "FILE",
              arity = "0..1",
              description =
                  "A certificate's file or serial number, or a request (default: everything).")
          @Nullable String called) {
    if (called == null) {
      return directory.open(authority -> CertificatePrinter.printAll(printing, authority));
    }
    Path file = Path.of(called);
    Instant now = Instant.now();
    if (CaDirectory.named(() -> isRequest(file))) {
      Request asked = CaDirectory.named(() -> Request.read(file));
      return printing.print(
          "%s: request %s".formatted(asked.names(), asked.fingerprint()),
          CertificatePrinter.json(asked.names()).with("fingerprint", asked.fingerprint()));
    }
    // On the machine of a node or a gateway, where no authority knows what it has revoked.
    if (!directory.isAuthority() && Files.isRegularFile(file)) {
      Issued issued = CaDirectory.named(() -> Issued.in(file));
      return printing.print(
          CertificatePrinter.text(issued, now) + ", by " + issued.issuer(),
          CertificatePrinter.json(issued, now).with("issuer", issued.issuer()));
    }
    return directory.open(authority -> {
      Issued issued = authority.read(CaDirectory.file(authority, called));
      return printing.print(
          CertificatePrinter.text(issued, now), CertificatePrinter.json(issued, now));
    });
  }

  private static boolean isRequest(Path file) throws IOException {
    return Files.isRegularFile(file)
        && Files.readString(file, ISO_8859_1).contains("-----BEGIN CERTIFICATE REQUEST-----");
  }
}
