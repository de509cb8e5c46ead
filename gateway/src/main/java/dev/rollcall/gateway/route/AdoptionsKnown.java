package dev.rollcall.gateway.route;

import dev.rollcall.proto.roll.v1.AdoptionsMade;
import dev.rollcall.proto.roll.v1.Letter;
import dev.rollcall.proto.v1.Adoption;
import dev.rollcall.wire.BadWordException;
import dev.rollcall.wire.CallerMapper;
import dev.rollcall.wire.PeerMessage;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Keeps the last decisions of all nodes. Each gateway sends its own nodes' decisions to the others
 * once a second, so that every gateway answers at once. A gateway lacks the decisions that were
 * sent before it started.
 */
public final class AdoptionsKnown {
  private static final System.Logger LOG = System.getLogger(AdoptionsKnown.class.getName());
  private static final int MOST_BYTES = 4_096 + 64;

  static final int MOST = 10_000;

  /** As many as an agent keeps. A node with too many decisions loses only its own older ones. */
  static final int MOST_OF_A_NODE = 1_024;

  /** At some 400 bytes each, and never above 4 KiB. */
  private static final int MOST_IN_A_LETTER = 200;

  /**
   * @param number grows with each decision
   */
  private record Known(long number, Adoption adoption) {}

  private final GatewaySender post;
  private final RouteMeters meters;
  private final Deque<Adoption> known = new ArrayDeque<>();
  private final Deque<Adoption> untold = new ArrayDeque<>();
  private final Map<String, Integer> ofNodes = new HashMap<>();
  private final WatchQueue<Known> watchers;
  private long number;

  AdoptionsKnown(GatewaySender post, RouteMeters meters) {
    this.post = post;
    this.meters = meters;
    this.watchers = new WatchQueue<>("adoptions-watched", meters.adoptionsUnwatched);
  }

  public synchronized Stream<Adoption> newestFirst() {
    return List.copyOf(known).reversed().stream();
  }

  /**
   * Tells those of the past, the oldest first, and then each as it becomes known, without a gap.
   *
   * @param recent how many of the past at most
   * @param tell must not block
   * @return what to run when nobody watches any more
   */
  public synchronized Runnable watch(
      int recent, Predicate<Adoption> wanted, Consumer<Adoption> tell) {
    newestFirst().filter(wanted).limit(recent).toList().reversed().forEach(tell);
    long past = number;
    return watchers.add(made -> {
      if (made.number() > past && wanted.test(made.adoption())) {
        tell.accept(made.adoption());
      }
    });
  }

  /** A node of this gateway has decided. */
  public synchronized void made(Adoption adoption) {
    meters.adoption(adoption.getOutcome());
    know(adoption);
    untold.addLast(adoption);
    if (untold.size() > MOST) {
      untold.removeFirst();
    }
  }

  /** Nodes of another gateway have. That gateway checked them, if it is as new as this one. */
  synchronized void heard(List<Adoption> adoptions) {
    adoptions.stream().filter(AdoptionsKnown::isListed).forEach(this::know);
  }

  /** One that cannot be written would take the list from everybody. */
  private static boolean isListed(Adoption adoption) {
    try {
      CallerMapper.node(adoption.getNode(), "adoption.node");
      PeerMessage.checkSize(adoption, "adoption", MOST_BYTES);
      PeerMessage.check(adoption, "adoption");
      return true;
    } catch (BadWordException e) {
      LOG.log(Level.WARNING, "a decision from another gateway is ignored: {0}", e.getMessage());
      return false;
    }
  }

  private void know(Adoption adoption) {
    known.addLast(adoption);
    if (ofNodes.merge(adoption.getNode(), 1, Integer::sum) > MOST_OF_A_NODE) {
      forgetOldestOf(adoption.getNode());
    } else if (known.size() > MOST) {
      forgotten(known.removeFirst());
    }
    var made = new Known(++number, adoption);
    watchers.tell(() -> made);
  }

  private void forgetOldestOf(String node) {
    for (Iterator<Adoption> each = known.iterator(); each.hasNext(); ) {
      Adoption oldest = each.next();
      if (oldest.getNode().equals(node)) {
        each.remove();
        forgotten(oldest);
        return;
      }
    }
  }

  private void forgotten(Adoption adoption) {
    ofNodes.computeIfPresent(adoption.getNode(), (_, count) -> count == 1 ? null : count - 1);
  }

  /** Every second. */
  void tick() {
    letters().forEach(post::sendToOthers);
  }

  private synchronized List<Letter> letters() {
    var letters = new ArrayList<Letter>();
    while (!untold.isEmpty()) {
      var made = AdoptionsMade.newBuilder();
      while (!untold.isEmpty() && made.getAdoptionsCount() < MOST_IN_A_LETTER) {
        made.addAdoptions(untold.removeFirst());
      }
      letters.add(Letter.newBuilder().setAdoptionsMade(made).build());
    }
    return letters;
  }
}
