package dev.rollcall.model;

/**
 * The site's options of the PAM line, by pam_slurm_adopt's names. The module reads them; the
 * defaults are here and in {@code options.c}, and fail closed.
 *
 * @param choose a user with several jobs, between which nothing else decides, may be asked
 */
public record AdoptOptions(
    ActionNoJobs actionNoJobs,
    ActionUnknown actionUnknown,
    ActionAdoptFailure actionAdoptFailure,
    ActionGenericFailure actionGenericFailure,
    boolean ignoreRoot,
    boolean singleJobSkipRpc,
    boolean disableX11,
    boolean joinContainer,
    boolean choose,
    String service) {

  /** The user owns no job on the node. */
  public enum ActionNoJobs {
    DENY,
    IGNORE
  }

  /** Several jobs, and the caller does not tell which. */
  public enum ActionUnknown {
    NEWEST,
    ALLOW,
    DENY
  }

  /** The process could not be moved. */
  public enum ActionAdoptFailure {
    DENY,
    ALLOW
  }

  /** The agent could not do its work. */
  public enum ActionGenericFailure {
    DENY,
    IGNORE,
    ALLOW
  }

  /** What a PAM line without options means. */
  public static final AdoptOptions DEFAULTS =
      new AdoptOptions(
          ActionNoJobs.DENY,
          ActionUnknown.NEWEST,
          ActionAdoptFailure.DENY,
          ActionGenericFailure.DENY,
          true,
          true,
          true,
          true,
          false,
          "sshd");

  /** For a session whose user cannot be asked, or not any more. */
  public AdoptOptions withoutChoosing() {
    return new AdoptOptions(
        actionNoJobs,
        actionUnknown,
        actionAdoptFailure,
        actionGenericFailure,
        ignoreRoot,
        singleJobSkipRpc,
        disableX11,
        joinContainer,
        false,
        service);
  }

  /** Whether the module is for this PAM service: the one named, or any for {@code *}. */
  public boolean isFor(String pamService) {
    return service.equals("*") || service.equals(pamService);
  }
}
