package dev.rollcall.cli.authority;

import dev.rollcall.authority.Authority;
import dev.rollcall.authority.AuthorityException;
import dev.rollcall.authority.Issued;
import dev.rollcall.authority.KeyFile;
import dev.rollcall.authority.Names;
import dev.rollcall.authority.Request;
import dev.rollcall.authority.WholeFile;
import java.io.IOException;
import java.nio.file.Files;
import java.security.KeyPair;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Issues the certificate of one node of a host list. A request is written beside the new key first,
 * and removed when the certificate is there: a run that was interrupted goes on with it, and so
 * does a run for requests that came from the nodes.
 *
 * @param onlyRequests whether only nodes get one that have such a request, also in place of a valid
 *     one: such nodes make a new key at each boot
 */
record FleetIssue(
    Authority authority, CaNames names, CaOutput output, Duration life, boolean onlyRequests)
    implements Fleet.Work {
  @Override
  public boolean of(String name) throws IOException, AuthorityException {
    CaOutput files = output.below(name);
    boolean asked = files.has(CaOutput.REQUEST);
    if (!asked && (onlyRequests || (files.has(CaOutput.CERTIFICATE) && !output.overwrites()))) {
      return false;
    }
    Names wanted = names.resolved(authority.cluster(), name);
    files.prepare(authority, false);
    if (!asked) {
      KeyPair keys = KeyFile.generate();
      var _ =
          files.write(
              List.of(
                  files.part(CaOutput.KEY, KeyFile.pem(keys.getPrivate()), WholeFile.SECRET),
                  files.part(CaOutput.REQUEST, Request.pem(keys, wanted), WholeFile.PUBLIC)));
    }
    Request request = Request.read(files.file(CaOutput.REQUEST));
    if (!request.names().equals(wanted)) {
      throw new IllegalArgumentException(
          "%s asks for %s, and not for %s"
              .formatted(files.file(CaOutput.REQUEST), request.names(), wanted));
    }
    var _ = files.write(authority, issued(request), Optional.empty());
    Files.delete(files.file(CaOutput.REQUEST));
    return true;
  }

  /** An earlier run may have issued it already. */
  private Issued issued(Request request) throws IOException, AuthorityException {
    synchronized (authority) {
      Optional<Issued> before = authority.latest(request.names());
      if (before.isPresent() && before.get().isFor(request.key())) {
        return before.get();
      }
      return before.isPresent()
              && (onlyRequests || output.overwrites())
              && before.get().names().equals(request.names())
          ? authority.renew(
              authority.numbered(before.get().serial()), Optional.of(request.key()), life)
          : authority.issue(request.key(), request.names(), life);
    }
  }
}
