package dev.rollcall.cli.ask;

import dev.rollcall.cli.exit.CommandFailure;

/**
 * Opens channels. Commands get it from outside, so that a test can put a server of its own there.
 */
@FunctionalInterface
public interface Exchange {
  /**
   * @throws CommandFailure if there is nothing to connect to
   */
  OpenChannel open(Target target);
}
