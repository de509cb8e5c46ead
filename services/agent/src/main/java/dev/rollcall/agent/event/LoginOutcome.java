package dev.rollcall.agent.event;

import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.Reason;
import dev.rollcall.model.allocation.SessionSetup;
import dev.rollcall.port.JobNamespaces;
import java.util.List;

/** The answer to the PAM module. */
public sealed interface LoginOutcome {
  /** Nothing is decided: the user may choose between these jobs of theirs. */
  record JobsOffered(List<Job> newestFirst) implements LoginOutcome {
    public JobsOffered {
      newestFirst = List.copyOf(newestFirst);
    }
  }

  /**
   * The job is decided, and nothing is done: the PAM module moves its own process and records the
   * login.
   *
   * @param adoptionId under which it is to be recorded
   * @param doubt why the caller did not decide; empty when it did, or was not asked
   */
  record Join(String adoptionId, Reason reason, JobId job, String doubt) implements LoginOutcome {}

  /** The login is decided, and what was decided is done. */
  sealed interface Decided extends LoginOutcome {
    Adoption.Outcome outcome();

    /** The id under which it is recorded; empty if it is not. */
    String adoptionId();

    Reason reason();

    /** One line for the user; empty: nothing to say. */
    default String message() {
      return "";
    }
  }

  /**
   * The session is in its job.
   *
   * @param hierarchy "" for v2, else the v1 controller whose line of /proc/PID/cgroup shows cgroup
   * @param setup what the session gets, after the site's allow-list; its display is empty
   * @param namespaces that the session joins; {@link #close} closes them
   */
  record Adopted(
      String adoptionId,
      Reason reason,
      JobId job,
      String hierarchy,
      String cgroup,
      SessionSetup setup,
      JobNamespaces namespaces)
      implements Decided {
    /** In bytes: the module's buffer, which has a closing zero besides. */
    public static final int LONGEST_CGROUP = 511;

    @Override
    public Adoption.Outcome outcome() {
      return Adoption.Outcome.ADOPTED;
    }

    @Override
    public void close() {
      namespaces.close();
    }
  }

  /** The session is admitted without a job. */
  record Allowed(String adoptionId, Reason reason) implements Decided {
    @Override
    public Adoption.Outcome outcome() {
      return Adoption.Outcome.ALLOWED;
    }
  }

  record Denied(String adoptionId, Reason reason, String message) implements Decided {
    @Override
    public Adoption.Outcome outcome() {
      return Adoption.Outcome.DENIED;
    }
  }

  /** The PAM stack goes on as if the module were not there. */
  record StepAside(String adoptionId, Reason reason) implements Decided {
    @Override
    public Adoption.Outcome outcome() {
      return Adoption.Outcome.STEPPED_ASIDE;
    }
  }

  /** The agent could not do its work: the module applies action_generic_failure. */
  record Failed(String adoptionId, String message) implements Decided {
    @Override
    public Adoption.Outcome outcome() {
      return Adoption.Outcome.FAILED;
    }

    @Override
    public Reason reason() {
      return Reason.GENERIC_FAILURE;
    }
  }

  /** Closes what is open for the session. */
  default void close() {}
}
