package dev.rollcall.agent.login.file;

import static dev.rollcall.agent.login.file.NodeFacts.fits;

import dev.rollcall.model.allocation.EnvironmentAllowList;
import dev.rollcall.model.allocation.Rlimit;
import dev.rollcall.model.allocation.ValueParts;
import dev.rollcall.port.SessionPlace;
import dev.rollcall.proto.login.v1.Ask;
import dev.rollcall.proto.login.v1.Job;
import dev.rollcall.proto.login.v1.JobCgroup;
import dev.rollcall.proto.login.v1.ResourceLimit;
import dev.rollcall.proto.login.v1.Variable;
import java.util.Map;
import java.util.Optional;

/**
 * Writes a job's file within the limits of login.options.
 *
 * @param limits whether the job's rlimits are its sessions' too
 */
public record JobFile(String bootId, EnvironmentAllowList allowed, boolean limits) {
  private static final int CGROUPS = 8;
  private static final int HIERARCHY = 31;
  private static final int PATH = 511;
  private static final int VARIABLES = 42;
  private static final int NAME = 127;
  private static final int RLIMITS = 16;
  private static final int NAMESPACES = 8;
  private static final int NAMESPACE_FILE = 255;
  private static final int NAMESPACE_VARIABLES = 4;
  private static final int NAMESPACE_VALUE = 1_024;

  /** What the module reads at most. */
  private static final int WHOLE = 64 * 1024;

  /**
   * @param place absent: the agent is asked to move sessions
   */
  Job of(dev.rollcall.model.Job job, Optional<SessionPlace> place) {
    Job.Builder file =
        Job.newBuilder()
            .setVersion(NodeFacts.VERSION)
            .setBootId(bootId)
            .setJobId(job.id().number())
            .setUid(job.uid())
            .setComplete(true);
    if (place.isEmpty()) {
      return file.build();
    }
    if (!place.get().cgroups().stream().allMatch(JobFile::fitsFile)
        || !fitsFile(place.get().container())) {
      return file.setAsk(Ask.ASK_OUT_OF_BOUNDS).build();
    }
    Job whole = filled(file.clone(), place.get());
    return isWithin(whole) ? whole : file.setAsk(Ask.ASK_OUT_OF_BOUNDS).build();
  }

  private Job filled(Job.Builder file, SessionPlace place) {
    for (SessionPlace.Cgroup cgroup : place.cgroups()) {
      file.addCgroups(
          JobCgroup.newBuilder()
              .setHierarchy(cgroup.hierarchy())
              .setDirectory(cgroup.directory().toString())
              .setPath(cgroup.path())
              .setNoLeaf(!cgroup.ownLeaf()));
    }
    place.setup().gid().ifPresent(file::setGid);
    for (Map.Entry<String, String> each : allowed.of(place.setup().environment()).entrySet()) {
      // As in a reply at the login socket: what does not fit is left out, and never cut.
      if (fits(each.getKey(), NAME) && fits(each.getValue(), ValueParts.LONGEST_VALUE)) {
        String name = each.getKey();
        for (String part : ValueParts.of(each.getValue())) {
          file.addEnvironment(Variable.newBuilder().setName(name).setValue(part));
          name = "";
        }
      }
    }
    if (limits) {
      place.setup().rlimits().forEach(rlimit -> file.addRlimits(limit(rlimit)));
    }
    if (!place.environmentKnown()) {
      file.setAsk(Ask.ASK_ENVIRONMENT);
    }
    addContainer(file, place.container());
    return file.build();
  }

  private static void addContainer(Job.Builder file, SessionPlace.Container container) {
    if (container.userNamespace()) {
      file.setAsk(Ask.ASK_USER_NAMESPACE);
      return;
    }
    container.namespaceFiles().forEach(each -> file.addNamespaceFiles(each.toString()));
    container.environment().entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(each -> file.addNamespaceEnvironment(variable(each)));
  }

  private static Variable variable(Map.Entry<String, String> each) {
    return Variable.newBuilder().setName(each.getKey()).setValue(each.getValue()).build();
  }

  /** RLIM_INFINITY and {@link Rlimit#UNLIMITED} are the same 64 bits. */
  private static ResourceLimit limit(Rlimit rlimit) {
    return ResourceLimit.newBuilder()
        .setResource(rlimit.resource().number())
        .setSoft(rlimit.soft())
        .setHard(rlimit.hard())
        .build();
  }

  private static boolean fitsFile(SessionPlace.Cgroup cgroup) {
    return fits(cgroup.hierarchy(), HIERARCHY)
        && fits(cgroup.directory().toString(), PATH)
        && fits(cgroup.path(), PATH);
  }

  /** A session never lacks a part of its container: what does not fit is asked for. */
  private static boolean fitsFile(SessionPlace.Container container) {
    return container.namespaceFiles().stream()
            .allMatch(file -> fits(file.toString(), NAMESPACE_FILE))
        && container.environment().entrySet().stream()
            .allMatch(each -> fits(each.getKey(), NAME) && fits(each.getValue(), NAMESPACE_VALUE));
  }

  private static boolean isWithin(Job file) {
    return file.getCgroupsCount() <= CGROUPS
        && file.getEnvironmentCount() <= VARIABLES
        && file.getRlimitsCount() <= RLIMITS
        && file.getNamespaceFilesCount() <= NAMESPACES
        && file.getNamespaceEnvironmentCount() <= NAMESPACE_VARIABLES
        && file.getSerializedSize() <= WHOLE;
  }
}
