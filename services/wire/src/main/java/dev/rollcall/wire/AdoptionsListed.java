package dev.rollcall.wire;

import dev.rollcall.proto.v1.Adoption;
import dev.rollcall.proto.v1.ListAdoptionsRequest;
import dev.rollcall.proto.v1.ListAdoptionsResponse;
import dev.rollcall.proto.v1.Outcome;
import dev.rollcall.proto.v1.WatchAdoptionsRequest;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Selects the decisions that a client asked for, for the lists of agents and gateways. */
public final class AdoptionsListed {
  private static final int MOST_RECENT = 1_000;

  private record Keyed(String key, Adoption adoption) {}

  private final ListAdoptionsRequest request;
  private final Page page;

  private AdoptionsListed(ListAdoptionsRequest request, Page page) {
    this.request = request;
    this.page = page;
  }

  /**
   * @throws BadWordException naming what cannot be
   */
  public static AdoptionsListed by(ListAdoptionsRequest request) {
    if (request.getOutcome() == Outcome.UNRECOGNIZED) {
      throw new BadWordException(
          "outcome", request.getOutcomeValue() + " is not an outcome of a session");
    }
    return new AdoptionsListed(request, Page.of(request.getPageSize(), request.getPageToken()));
  }

  /** The number of earlier decisions that a watching client wants first. */
  public static int recent(WatchAdoptionsRequest request) {
    int recent = request.getRecent();
    if (recent < 0 || recent > MOST_RECENT) {
      throw new BadWordException(
          "recent", Integer.toUnsignedString(recent) + " is more than " + MOST_RECENT);
    }
    return recent;
  }

  /**
   * The part that is asked for, the newest first.
   *
   * @param seen those that the asker may see
   */
  public ListAdoptionsResponse of(Stream<Adoption> seen) {
    List<Keyed> wanted =
        seen.filter(this::isWanted)
            .map(adoption -> new Keyed(key(adoption), adoption))
            .sorted(Comparator.comparing(Keyed::key))
            .toList();
    Page.Part<Keyed> part = page.of(wanted, Keyed::key);
    return ListAdoptionsResponse.newBuilder()
        .addAllAdoptions(part.items().stream().map(Keyed::adoption).toList())
        .setNextPageToken(part.nextToken())
        .build();
  }

  private boolean isWanted(Adoption adoption) {
    return (!request.hasUid() || request.getUid() == adoption.getUid())
        && (request.getNode().isEmpty() || request.getNode().equals(adoption.getNode()))
        && (request.getJobId() == 0 || request.getJobId() == adoption.getJob().getJobId())
        && (request.getOutcome() == Outcome.OUTCOME_UNSPECIFIED
            || request.getOutcome() == adoption.getOutcome());
  }

  /** Grows as they grow older, the same at every gateway. */
  private static String key(Adoption adoption) {
    var at = adoption.getDecidedAt();
    return "%019d %09d %s %s"
        .formatted(
            Long.MAX_VALUE - at.getSeconds(),
            999_999_999 - at.getNanos(),
            adoption.getNode(),
            adoption.getAdoptionId());
  }
}
