package dev.rollcall.gateway.limit;

/**
 * The allowed calls and questions a second: of each user, of each node with all its users, and of
 * each service or administrator. There is a second's worth of them after a rest.
 */
public record Rates(int user, int node, int service) {
  public static final Rates DEFAULTS = new Rates(100, 1_000, 50_000);
}
