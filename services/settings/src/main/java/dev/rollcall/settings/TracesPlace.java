package dev.rollcall.settings;

/**
 * The collector (OTLP over HTTP) to which a process sends its traces.
 *
 * @param tls with the process's own certificate; in clear there is loopback alone
 */
public record TracesPlace(boolean tls, HostPort at) {
  private static final String CLEAR = "http://";
  private static final String BY_TLS = "https://";

  /**
   * Reads {@code http://host:port} or {@code https://host:port}.
   *
   * @throws IllegalArgumentException naming the text, if it is neither, or is in clear for others
   */
  public static TracesPlace parse(String text) {
    boolean tls = text.startsWith(BY_TLS);
    if (!tls && !text.startsWith(CLEAR)) {
      throw new IllegalArgumentException("'" + text + "' is not http:// or https://HOST:PORT");
    }
    String rest = text.substring((tls ? BY_TLS : CLEAR).length());
    var place = new TracesPlace(tls, HostPort.parse(rest.replaceFirst("/$", "")));
    if (!tls && !place.at.loopback()) {
      throw new IllegalArgumentException(
          "'" + text + "' is not on loopback, so it has to be https");
    }
    return place;
  }

  @Override
  public String toString() {
    return (tls ? BY_TLS : CLEAR) + at;
  }
}
