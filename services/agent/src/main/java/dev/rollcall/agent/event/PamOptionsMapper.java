package dev.rollcall.agent.event;

import dev.rollcall.model.AdoptOptions;
import dev.rollcall.model.AdoptOptions.ActionAdoptFailure;
import dev.rollcall.model.AdoptOptions.ActionNoJobs;
import dev.rollcall.model.AdoptOptions.ActionUnknown;
import dev.rollcall.proto.loginsocket.v1.Choice;
import dev.rollcall.proto.loginsocket.v1.Options;

/** Maps the PAM module's message with the options of its line to those of the policy. */
public final class PamOptionsMapper {
  private PamOptionsMapper() {}

  /**
   * The exemptions for root and for other services were the module's: what it asks about, and what
   * it records, is neither.
   *
   * @throws IllegalArgumentException if an option has a value that it does not know; names both
   */
  public static AdoptOptions read(Options options) {
    return new AdoptOptions(
        noJobs(options.getActionNoJobs()),
        unknown(options.getActionUnknown()),
        adoptFailure(options.getActionAdoptFailure()),
        AdoptOptions.DEFAULTS.actionGenericFailure(),
        false,
        !options.getSingleJobAskCaller(),
        options.getDisableX11(),
        !options.getStayOutsideContainer(),
        options.getChoose(),
        "*");
  }

  private static ActionNoJobs noJobs(Choice choice) {
    return switch (choice) {
      case CHOICE_UNSPECIFIED -> AdoptOptions.DEFAULTS.actionNoJobs();
      case CHOICE_DENY -> ActionNoJobs.DENY;
      case CHOICE_IGNORE -> ActionNoJobs.IGNORE;
      case CHOICE_ALLOW, CHOICE_NEWEST, UNRECOGNIZED -> throw none("action_no_jobs", choice);
    };
  }

  private static ActionUnknown unknown(Choice choice) {
    return switch (choice) {
      case CHOICE_UNSPECIFIED -> AdoptOptions.DEFAULTS.actionUnknown();
      case CHOICE_NEWEST -> ActionUnknown.NEWEST;
      case CHOICE_ALLOW -> ActionUnknown.ALLOW;
      case CHOICE_DENY -> ActionUnknown.DENY;
      case CHOICE_IGNORE, UNRECOGNIZED -> throw none("action_unknown", choice);
    };
  }

  private static ActionAdoptFailure adoptFailure(Choice choice) {
    return switch (choice) {
      case CHOICE_UNSPECIFIED -> AdoptOptions.DEFAULTS.actionAdoptFailure();
      case CHOICE_DENY -> ActionAdoptFailure.DENY;
      case CHOICE_ALLOW -> ActionAdoptFailure.ALLOW;
      case CHOICE_IGNORE, CHOICE_NEWEST, UNRECOGNIZED -> throw none("action_adopt_failure", choice);
    };
  }

  private static IllegalArgumentException none(String option, Choice choice) {
    return new IllegalArgumentException(option + ": " + choice + " is not a value of it");
  }
}
