package dev.rollcall.cli.authority;

import static java.util.Objects.requireNonNull;

import dev.rollcall.authority.Authority;
import dev.rollcall.authority.AuthorityException;
import dev.rollcall.authority.Issued;
import dev.rollcall.cli.text.Printing;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Renews the certificates that end soon, for their old keys, which are not moved. A holder whose
 * certificate an interrupted run has renewed, and not written, gets it now.
 */
record FleetRenewal(
    Authority authority, CaOutput output, Duration life, Instant limit, Map<String, Issued> latest)
    implements Fleet.Work {
  /**
   * Renews all, and returns the exit status.
   *
   * @param within ends sooner than this
   */
  static int run(
      Authority authority, CaOutput output, Printing printing, Duration within, Duration life)
      throws IOException, AuthorityException {
    var latest = new HashMap<String, Issued>();
    for (Issued one : authority.latest()) {
      if (latest.put(one.names().name(), one) != null) {
        throw new IllegalArgumentException(
            "two holders are named '%s', and have one directory: renew each by its serial number"
                .formatted(one.names().name()));
      }
    }
    var work =
        new FleetRenewal(authority, output, life, Instant.now().plus(within), Map.copyOf(latest));
    List<String> due = latest.keySet().stream().filter(work::isDue).sorted().toList();
    return Fleet.run(printing, due, work);
  }

  private boolean isDue(String name) {
    Issued own = requireNonNull(latest.get(name));
    return own.expires().isBefore(limit)
        || CaDirectory.named(() -> written(name))
            .filter(there -> there.isFor(own.certificate().getPublicKey()))
            .filter(there -> there.expires().isBefore(own.expires()))
            .isPresent();
  }

  /** The certificate in the directory of the holder. */
  private Optional<Issued> written(String name) throws IOException, AuthorityException {
    CaOutput files = output.below(name);
    return files.has(CaOutput.CERTIFICATE)
        ? Optional.of(authority.read(files.file(CaOutput.CERTIFICATE)))
        : Optional.empty();
  }

  @Override
  public boolean of(String name) throws IOException, AuthorityException {
    Issued old = requireNonNull(latest.get(name));
    CaOutput files = output.below(name);
    files.prepare(authority, false);
    Optional<Issued> written = written(name);
    if (written.isPresent() && !written.get().isFor(old.certificate().getPublicKey())) {
      throw new IllegalArgumentException(
          "%s is for another key than certificate %s: renew it by its serial number"
              .formatted(files.file(CaOutput.CERTIFICATE), old.serial()));
    }
    var _ = files.write(authority, renewed(old), Optional.empty());
    return true;
  }

  private Issued renewed(Issued old) throws IOException, AuthorityException {
    synchronized (authority) {
      return old.expires().isBefore(limit)
          ? authority.renew(authority.numbered(old.serial()), Optional.empty(), life)
          : old;
    }
  }
}
