package dev.rollcall.cli.job;

import dev.rollcall.cli.ask.CliContext;
import dev.rollcall.cli.ask.Users;
import dev.rollcall.proto.v1.BeginStepResponse;
import dev.rollcall.proto.v1.Rlimit;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Writes the shell commands by which a shell, running as root, becomes a step of a job.
 * rollcall-step keeps from the step what is root's: terminal, session, keyring, descriptors and
 * variables.
 */
public final class StepScript {
  private final BeginStepResponse step;
  private final Optional<Users.User> user;
  private final Path programs;

  /**
   * @param user empty: the step's uid has no name
   */
  public StepScript(BeginStepResponse step, Optional<Users.User> user) {
    this.step = step;
    this.user = user;
    programs = CliContext.shipped("lib/container");
  }

  public String commands(List<String> command) {
    Map<String, String> variables = variables();
    var script = new StringBuilder();
    variables.forEach((name, value) ->
        script.append("export ").append(name).append('=').append(quote(value)).append('\n'));
    script.append("exec ").append(program("rollcall-step"));
    step.getProcsFilesList().forEach(file -> script.append(" --procs ").append(quote(file)));
    String uid = Integer.toUnsignedString(step.getUid());
    script.append(" --uid ").append(uid);
    variables.keySet().forEach(name -> script.append(" --keep ").append(name));
    script.append(" -- ");
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

  /** The job's own first, so that they cannot give the other names another meaning. */
  private Map<String, String> variables() {
    Map<String, String> variables = new LinkedHashMap<>(new TreeMap<>(step.getEnvironmentMap()));
    variables.put("ROLLCALL_JOB_ID", Long.toString(step.getStep().getJobId()));
    variables.put("ROLLCALL_STEP_ID", step.getStep().getStep());
    user.ifPresent(known -> {
      variables.put("USER", known.name());
      variables.put("LOGNAME", known.name());
      variables.put("HOME", known.home());
      variables.put("SHELL", known.shell());
    });
    return variables;
  }

  private String program(String name) {
    return quote(programs.resolve(name).toString());
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
    script.append(program("rollcall-enter"));
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

  public static String quote(String text) {
    return "'" + text.replace("'", "'\\''") + "'";
  }
}
