package dev.rollcall.jobs.tree;

import dev.rollcall.linux.cgroup.CgroupDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * Lets cgroups of v2 have a controller: each directory above passes it on by {@code
 * cgroup.subtree_control}, from the top down. The kernel refuses a directory that has processes of
 * its own (EBUSY), so jobs have theirs in leaves only.
 *
 * @param above whether directories above the scope may be written to as well
 */
record Enabling(Hierarchy hierarchy, boolean above) {
  private static final String PASSED_ON = "cgroup.subtree_control";
  private static final String AVAILABLE = "cgroup.controllers";

  /**
   * Makes the controller's files appear in a directory.
   *
   * @throws MissingControllerException naming the first directory that does not have it
   * @throws IOException naming the file that cannot be written
   */
  void enable(Controller controller, CgroupDirectory in) throws IOException {
    for (CgroupDirectory directory : parentsOf(in)) {
      passOn(controller, directory);
    }
    if (!lists(in, AVAILABLE, controller.v2())) {
      throw missing(controller, in);
    }
  }

  /** Passes on the standing controllers that the directory has; the others it cannot. */
  void passOnStanding(CgroupDirectory directory) throws IOException {
    for (Controller controller : Controller.STANDING) {
      if (lists(directory, AVAILABLE, controller.v2())) {
        passOn(controller, directory);
      }
    }
  }

  /**
   * The same from the highest directory that may be written down to the scope, and in the scope.
   */
  void prepareScope() throws IOException {
    for (CgroupDirectory directory : parentsOf(hierarchy.scope().child("job"))) {
      passOnStanding(directory);
    }
  }

  private void passOn(Controller controller, CgroupDirectory directory) throws IOException {
    if (lists(directory, PASSED_ON, controller.v2())) {
      return;
    }
    if (!lists(directory, AVAILABLE, controller.v2())) {
      throw missing(controller, directory);
    }
    directory.write(PASSED_ON, "+" + controller.v2());
  }

  private MissingControllerException missing(Controller controller, CgroupDirectory directory)
      throws IOException {
    String available = directory.has(AVAILABLE) ? directory.read(AVAILABLE) : "";
    return new MissingControllerException(
        controller.v2(),
        directory.path().resolve(AVAILABLE)
            + (available.isEmpty() ? " is empty" : " has only " + available));
  }

  private static boolean lists(CgroupDirectory directory, String file, String controller)
      throws IOException {
    return directory.has(file)
        && Arrays.asList(directory.read(file).split(" ", -1)).contains(controller);
  }

  /** Those that may be written to, the highest first. */
  private List<CgroupDirectory> parentsOf(CgroupDirectory directory) {
    Path top = above ? hierarchy.mount().point() : hierarchy.scope().path();
    return directory.above(top).reversed();
  }
}
