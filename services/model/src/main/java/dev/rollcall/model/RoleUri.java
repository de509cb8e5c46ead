package dev.rollcall.model;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The role of a certificate's holder in a cluster, as a URI among the subject's alternative names
 * (RFC 5280 section 4.2.1.6): {@code rollcall://alps/node/n001}.
 *
 * @param name of a node or login node: its node name
 * @param port of a service, which has one URI for each of its ports; of nobody else
 */
public record RoleUri(String cluster, Role role, String name, OptionalInt port) {
  /** As the URI's path begins, in lower case. */
  public enum Role implements Worded {
    NODE,
    /** A node whose users see their own jobs of all nodes. */
    LOGIN,
    GATEWAY,
    SERVICE,
    ADMINISTRATOR,
    /** Reads metrics, and nothing else. */
    MONITOR;

    /** Whether the holder runs an agent. */
    public boolean isNode() {
      return this == NODE || this == LOGIN;
    }

    /**
     * Reads it as it stands in the URI.
     *
     * @throws IllegalArgumentException naming the text and the roles
     */
    public static Role of(String word) {
      return Arrays.stream(Role.values())
          .filter(role -> role.word().equals(word))
          .findFirst()
          .orElseThrow(() ->
              new IllegalArgumentException(
                  "'%s' is not a role; roles are %s"
                      .formatted(
                          word,
                          Arrays.stream(Role.values())
                              .map(Role::word)
                              .collect(Collectors.joining(", ")))));
    }
  }

  public static final String SCHEME = "rollcall";

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");
  private static final Pattern PATH = Pattern.compile("/([a-z]+)/([^/]+)");
  private static final Pattern PORT = Pattern.compile("port=([0-9]{1,5})");

  public RoleUri {
    requireName("cluster", cluster);
    requireName("name", name);
    if (port.isPresent() != (role == Role.SERVICE)) {
      throw new IllegalArgumentException(
          role == Role.SERVICE
              ? "a service has a port: ?port=NUMBER is missing"
              : "a " + role.word() + " has no port");
    }
    if (port.isPresent() && (port.getAsInt() < 1 || port.getAsInt() > 0xffff)) {
      throw new IllegalArgumentException("port " + port.getAsInt() + " is not within 1 to 65535");
    }
  }

  /** Of every role but a service. */
  public static RoleUri of(String cluster, Role role, String name) {
    return new RoleUri(cluster, role, name, OptionalInt.empty());
  }

  private static void requireName(String what, String text) {
    if (!NAME.matcher(text).matches()) {
      throw new IllegalArgumentException("'" + text + "' is not a " + what);
    }
  }

  /**
   * Reads a URI; one of another scheme is no role, and empty.
   *
   * @throws IllegalArgumentException naming the text and what is wrong with it
   */
  public static Optional<RoleUri> parse(String text) {
    if (!text.regionMatches(true, 0, SCHEME + ":", 0, SCHEME.length() + 1)) {
      return Optional.empty();
    }
    try {
      return Optional.of(read(new URI(text)));
    } catch (URISyntaxException | IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "'%s' is not rollcall://CLUSTER/ROLE/NAME: %s".formatted(text, e.getMessage()), e);
    }
  }

  private static RoleUri read(URI uri) {
    Matcher path = PATH.matcher(uri.getRawPath() == null ? "" : uri.getRawPath());
    if (uri.getRawAuthority() == null || !path.matches() || uri.getRawFragment() != null) {
      throw new IllegalArgumentException("it has other parts");
    }
    return new RoleUri(
        uri.getRawAuthority(), Role.of(path.group(1)), path.group(2), port(uri.getRawQuery()));
  }

  private static OptionalInt port(@org.jspecify.annotations.Nullable String query) {
    if (query == null) {
      return OptionalInt.empty();
    }
    Matcher port = PORT.matcher(query);
    if (!port.matches()) {
      throw new IllegalArgumentException("'" + query + "' is not port=NUMBER");
    }
    return OptionalInt.of(Integer.parseInt(port.group(1)));
  }

  /** As it stands in the certificate. */
  @Override
  public String toString() {
    return "%s://%s/%s/%s%s"
        .formatted(
            SCHEME, cluster, role.word(), name, port.isPresent() ? "?port=" + port.getAsInt() : "");
  }
}
