package dev.rollcall.jobs;

import dev.rollcall.jobs.tree.JobTree;
import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.StepId;
import dev.rollcall.port.SessionPlace;

/** Names the cgroups of sessions of jobs; takes no lock. */
record SessionPlaces(JobTree tree, Containment containment) {
  SessionPlace of(NativeJob job) {
    var extern = new JobStep(job.id(), StepId.EXTERN);
    return new SessionPlace(
        tree.hierarchies().stream()
            .map(hierarchy -> {
              CgroupDirectory user = hierarchy.user(extern);
              return new SessionPlace.Cgroup(hierarchy.name(), user.path(), hierarchy.pathOf(user));
            })
            .toList(),
        job.setup(),
        containment.hasUserNamespace(job.id()));
  }
}
