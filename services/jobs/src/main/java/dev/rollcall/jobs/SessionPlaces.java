package dev.rollcall.jobs;

import dev.rollcall.jobs.tree.JobTree;
import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.StepId;
import dev.rollcall.port.SessionPlace;
import java.util.List;
import java.util.Optional;

/** Names the cgroups of sessions of jobs; takes no lock. */
record SessionPlaces(JobTree tree, Containment containment) {
  /** Empty if the job's container cannot be read: no session is put beside it. */
  Optional<SessionPlace> of(NativeJob job) {
    return containment
        .ofSessions(job.id())
        .map(container -> new SessionPlace(cgroups(job.id()), job.setup(), container));
  }

  private List<SessionPlace.Cgroup> cgroups(JobId job) {
    var extern = new JobStep(job, StepId.EXTERN);
    return tree.hierarchies().stream()
        .map(hierarchy -> {
          CgroupDirectory user = hierarchy.user(extern);
          return new SessionPlace.Cgroup(hierarchy.name(), user.path(), hierarchy.pathOf(user));
        })
        .toList();
  }
}
