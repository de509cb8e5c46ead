package dev.rollcall.jobs.container;

import dev.rollcall.jobs.container.ContainerRules.JobPath;
import java.nio.file.Path;
import java.util.List;

/**
 * The node's files that jobs see differently from the node.
 *
 * @param readOnly nothing of these can be changed; private directories below them can
 * @param hidden of these nothing is seen
 */
public record View(List<Narrowed> readOnly, List<Narrowed> hidden) {
  /** All as the node sees it. */
  public static final View WHOLE = new View(List.of(), List.of());

  /**
   * A directory with all below it, or a file.
   *
   * @param mayBeMissing else a job cannot begin on a node that has no such path
   */
  public record Narrowed(JobPath path, boolean mayBeMissing) {}

  /** One job's. */
  record At(Path path, boolean mayBeMissing) {}

  public View {
    readOnly = List.copyOf(readOnly);
    hidden = List.copyOf(hidden);
  }

  List<At> readOnly(OwnerJob owner) {
    return of(readOnly, owner);
  }

  List<At> hidden(OwnerJob owner) {
    return of(hidden, owner);
  }

  private static List<At> of(List<Narrowed> all, OwnerJob owner) {
    return all.stream()
        .map(one -> new At(one.path().of(owner.job().toString(), owner.user()), one.mayBeMissing()))
        .toList();
  }
}
