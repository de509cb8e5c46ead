package dev.rollcall.cli.job;

import dev.rollcall.cli.ask.CliContext;
import dev.rollcall.cli.ask.Users;
import dev.rollcall.proto.v1.BeginStepResponse;
import dev.rollcall.proto.v1.Rlimit;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The shell commands by which a shell, running as root, becomes a step of a job. */
public final class StepScript {
  private final BeginStepResponse step;
  private final Optional<Users.User> user;
  private final Path enter;

  /**
   * @param user empty: the step's uid has no name
   */
  public StepScript(BeginStepResponse step, Optional<Users.User> user) {
    this.step = step;
    this.user = user;
    enter = CliContext.shipped("lib/container/rollcall-enter");
  }

  public String commands(List<String> command) {
    var script = new StringBuilder();
    for (String file : step.getProcsFilesList()) {
      script.append(
          "echo $$ >%1$s || { echo rollcall: cannot enter %1$s >&2; exit 1; }\n"
              .formatted(quote(file)));
    }
    // First, so that a job cannot give these names another meaning.
    new TreeMap<>(step.getEnvironmentMap()).forEach((name, value) -> export(script, name, value));
    long uid = Integer.toUnsignedLong(step.getUid());
    export(script, "SLURM_JOB_ID", step.getStep().getJobId());
    export(script, "SLURM_JOBID", step.getStep().getJobId());
    export(script, "SLURM_STEP_ID", step.getStep().getStep());
    export(script, "SLURM_STEPID", step.getStep().getStep());
    export(script, "SLURM_JOB_UID", uid);
    user.ifPresent(known -> exportUser(script, known));
    script.append("exec ");
    limits(script);
    boolean owners = step.containsNamespaces("user");
    if (!owners) {
      enterAsRoot(script);
    }
    // A uid that has no name has no other groups either.
    String groups = user.isPresent() ? "init" : "clear";
    script.append(
        "setpriv --reuid=%s --regid=%s --%s-groups --inh-caps=-all -- "
            .formatted(uid, Integer.toUnsignedLong(step.getGid()), groups));
    if (owners) {
      enterAsOwner(script);
    }
    return script + quoted(command);
  }

  /** By root, since a hard limit may be above the launcher's own. */
  private void limits(StringBuilder script) {
    if (step.getRlimitsCount() == 0) {
      return;
    }
    script.append("prlimit");
    for (Rlimit rlimit : step.getRlimitsList()) {
      String soft = rlimit.hasSoft() ? Long.toUnsignedString(rlimit.getSoft()) : "unlimited";
      String hard = rlimit.hasHard() ? Long.toUnsignedString(rlimit.getHard()) : "unlimited";
      script.append(" --").append(rlimit.getResource()).append('=').append(soft).append(':');
      script.append(hard);
    }
    script.append(' ');
  }

  /**
   * Enters the job's container, in the directory of the same name where there is one. setns(2)
   * leaves a process in the top directory of its new mount namespace.
   */
  private void enterAsRoot(StringBuilder script) {
    if (step.getNamespacesCount() == 0) {
      return;
    }
    script.append("nsenter");
    namespaces(script, '=');
    script.append(" -- sh -c 'cd \"$1\" 2>/dev/null || cd /; shift; exec \"$@\"' sh \"$PWD\" ");
  }

  /** Root does not go where the job's user may have arranged what it would find. */
  private void enterAsOwner(StringBuilder script) {
    script.append(quote(enter.toString()));
    namespaces(script, ' ');
    script.append(" -- ");
  }

  private void namespaces(StringBuilder script, char between) {
    new TreeMap<>(step.getNamespacesMap())
        .forEach((name, file) ->
            script.append(" --").append(option(name)).append(between).append(quote(file)));
  }

  /** The shell command that becomes a program with these arguments. */
  public static String exec(List<String> command) {
    return "exec " + quoted(command);
  }

  private static String quoted(List<String> command) {
    return command.stream().map(StepScript::quote).collect(Collectors.joining(" ", "", "\n"));
  }

  /** Of nsenter(1) and rollcall-enter, for a name in /proc/PID/ns. */
  private static String option(String name) {
    return name.equals("mnt") ? "mount" : name;
  }

  private static void exportUser(StringBuilder script, Users.User user) {
    export(script, "SLURM_JOB_USER", user.name());
    export(script, "USER", user.name());
    export(script, "LOGNAME", user.name());
    export(script, "HOME", user.home());
    export(script, "SHELL", user.shell());
  }

  private static void export(StringBuilder script, String name, Object value) {
    script.append("export ").append(name).append('=').append(quote(value.toString())).append('\n');
  }

  public static String quote(String text) {
    return "'" + text.replace("'", "'\\''") + "'";
  }
}
