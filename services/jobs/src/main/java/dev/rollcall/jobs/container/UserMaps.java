package dev.rollcall.jobs.container;

import dev.rollcall.jobs.container.ContainerRules.SiteScript;
import java.nio.file.Path;

/**
 * The site's own maps of a job's user namespace.
 *
 * @param script writes the maps: {@code user_ns_script}
 * @param subordinateUsers the file of subuid(5): the script may map these users of the owner, too
 * @param subordinateGroups the file of subgid(5)
 */
public record UserMaps(SiteScript script, Path subordinateUsers, Path subordinateGroups) {
  public static UserMaps ofHost(SiteScript script) {
    return new UserMaps(script, Path.of("/etc/subuid"), Path.of("/etc/subgid"));
  }
}
