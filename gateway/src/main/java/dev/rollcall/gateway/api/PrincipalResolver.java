package dev.rollcall.gateway.api;

import dev.rollcall.gateway.identity.Identity;
import dev.rollcall.wire.BadWordException;
import dev.rollcall.wire.Refusal;
import dev.rollcall.wire.Refusal.Reason;
import io.grpc.Metadata;
import java.util.Optional;

/** Makes a principal of the client's identity and the user that the request names. */
public final class PrincipalResolver {
  /** A decimal uid: the user whose question a node's agent passes on. */
  public static final Metadata.Key<String> UID =
      Metadata.Key.of("rollcall-uid", Metadata.ASCII_STRING_MARSHALLER);

  private PrincipalResolver() {}

  /**
   * Fails with INVALID_ARGUMENT if the text is no uid, and with PERMISSION_DENIED if the client may
   * not name a user.
   */
  static Principal of(Identity identity, Optional<String> named) {
    return switch (identity) {
      case Identity.Embedded _ ->
          named
              .map(PrincipalResolver::uid)
              .filter(uid -> uid != 0)
              .<Principal>map(Principal.User::new)
              .orElse(new Principal.Everybody());
      case Identity.Node node ->
          named
              .map(PrincipalResolver::uid)
              .filter(uid -> uid != 0)
              .map(uid -> at(node, uid))
              .orElse(new Principal.Root(node));
      case Identity.Administrator _ -> alone(identity, named, new Principal.Everybody());
      case Identity.Person(int uid) -> alone(identity, named, new Principal.User(uid));
      case Identity.Service(_, var endpoints) ->
          alone(identity, named, new Principal.Service(endpoints));
      case Identity.Gateway _, Identity.Stranger _ ->
          alone(identity, named, new Principal.Nobody());
    };
  }

  /** Root of a login node is believed about the user who asks there. */
  private static Principal at(Identity.Node node, int uid) {
    return node.login() ? new Principal.User(uid) : new Principal.UserAt(uid, node);
  }

  private static Principal alone(Identity identity, Optional<String> named, Principal asker) {
    if (named.isPresent()) {
      throw Refusal.of(
              Reason.USER_NOT_BELIEVED, identity + " may not ask in a user's name: only nodes may")
          .exception();
    }
    return asker;
  }

  private static int uid(String text) {
    try {
      return Integer.parseUnsignedInt(text);
    } catch (NumberFormatException e) {
      throw new BadWordException(UID.name(), "'" + text + "' is not a uid").refusal();
    }
  }
}
