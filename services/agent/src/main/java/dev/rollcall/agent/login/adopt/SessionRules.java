package dev.rollcall.agent.login.adopt;

import dev.rollcall.model.allocation.EnvironmentAllowList;

/**
 * The site's rules for the job properties that sessions get.
 *
 * @param environment which of the job's variables
 * @param limits whether the rlimits of the job's steps hold for its sessions too
 */
public record SessionRules(EnvironmentAllowList environment, boolean limits) {
  public static final SessionRules DEFAULTS =
      new SessionRules(EnvironmentAllowList.DEFAULTS, false);
}
