package dev.rollcall.gateway.route;

import com.google.protobuf.DiscardUnknownFieldsParser;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Parser;
import dev.rollcall.gateway.stream.AttendedNode;
import dev.rollcall.model.NodeName;
import dev.rollcall.port.GatewayMail;
import dev.rollcall.port.Roll.Owner;
import dev.rollcall.proto.roll.v1.Answer;
import dev.rollcall.proto.roll.v1.AttendResponse;
import dev.rollcall.proto.roll.v1.EscapeesQuestion;
import dev.rollcall.proto.roll.v1.Letter;
import dev.rollcall.proto.roll.v1.NodeAnswer;
import dev.rollcall.proto.roll.v1.NodeOrder;
import dev.rollcall.proto.roll.v1.NotAnswered;
import dev.rollcall.proto.roll.v1.PredictionQuestion;
import dev.rollcall.proto.roll.v1.ProcessesQuestion;
import dev.rollcall.proto.roll.v1.Question;
import dev.rollcall.wire.NodeWords;
import dev.rollcall.wire.Words;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;

/** Opens the letters of other gateways. */
public final class Incoming implements GatewayMail.Listener {
  /** The asking gateway gives up by its own patience; this only bounds what is remembered here. */
  private static final Duration MOST_PATIENCE = Duration.ofSeconds(5);

  /** What a gateway passes on has no field that it does not know. */
  private static final Parser<Letter> LETTERS = DiscardUnknownFieldsParser.wrap(Letter.parser());

  private final Router router;
  private final Runnable merged;

  /**
   * @param merged to do when two parts of a split grid are one again
   */
  public Incoming(Router router, Runnable merged) {
    this.router = router;
    this.merged = merged;
  }

  @Override
  public void received(String from, byte[] message) {
    Letter letter;
    try {
      letter = LETTERS.parseFrom(message);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalArgumentException("not a letter: " + e.getMessage(), e);
    }
    switch (letter.getLetterCase()) {
      case ORDER -> ordered(from, letter.getOrder());
      case ANSWER -> router.answered(letter.getAnswer());
      case CALLS_LOST -> router.lostHere(letter.getCallsLost());
      case WATCHING_CALLS -> router.watched().watching(from);
      case CALL_MADE -> router.watched().tell(NodeWords.checked(letter.getCallMade()));
      case ADOPTIONS_MADE -> router.adoptions().heard(letter.getAdoptionsMade().getAdoptionsList());
      case LETTER_NOT_SET -> {} // of a later version
    }
  }

  private void ordered(String from, NodeOrder letter) {
    NodeName node = Words.node(letter.getNode(), "order.node");
    AttendResponse order = letter.getOrder();
    var owner = new Owner.OneNode(node, router.post().self());
    switch (order.getOrderCase()) {
      case QUESTION -> asked(from, owner, order.getQuestion());
      case PROCESSES_QUESTION -> asked(from, owner, order.getProcessesQuestion());
      case ESCAPEES_QUESTION -> asked(from, owner, order.getEscapeesQuestion());
      case PREDICTION_QUESTION -> asked(from, owner, order.getPredictionQuestion());
      default -> {
        Optional<AttendedNode> here = router.nodes().find(node);
        here.ifPresent(attended -> attended.orders().send(order));
      }
    }
  }

  private void asked(String from, Owner.OneNode owner, Question question) {
    long id = question.getQuestionId();
    reply(
        from,
        id,
        router.askCaller(
            owner,
            Words.toModel(question.getConnection(), "question.connection"),
            patience(question.getPatience()),
            question.getTraceparent()),
        (said, answer) -> said.setCaller(Answer.newBuilder().setQuestionId(id).setAnswer(answer)));
  }

  private void asked(String from, Owner.OneNode owner, ProcessesQuestion question) {
    long id = question.getQuestionId();
    reply(
        from,
        id,
        router.askProcesses(
            owner, Words.jobId(question.getJobId(), "question.job_id"), MOST_PATIENCE),
        (said, answer) -> said.setProcesses(answer.toBuilder().setQuestionId(id)));
  }

  private void asked(String from, Owner.OneNode owner, EscapeesQuestion question) {
    long id = question.getQuestionId();
    Optional<Integer> uid = question.hasUid() ? Optional.of(question.getUid()) : Optional.empty();
    reply(
        from,
        id,
        router.askEscapees(owner, uid, MOST_PATIENCE),
        (said, answer) -> said.setEscapees(answer.toBuilder().setQuestionId(id)));
  }

  private void asked(String from, Owner.OneNode owner, PredictionQuestion question) {
    long id = question.getQuestionId();
    reply(
        from,
        id,
        router.askPrediction(owner, question.getUid(), MOST_PATIENCE),
        (said, answer) -> said.setPrediction(answer.toBuilder().setQuestionId(id)));
  }

  private static Duration patience(com.google.protobuf.Duration asked) {
    Duration patience = Words.duration(asked, "question.patience");
    return patience.compareTo(MOST_PATIENCE) < 0 ? patience : MOST_PATIENCE;
  }

  private <T> void reply(
      String to,
      long id,
      CompletableFuture<Heard<T>> asked,
      BiConsumer<NodeAnswer.Builder, T> saying) {
    var _ =
        asked.thenAccept(heard -> {
          var said = NodeAnswer.newBuilder();
          switch (heard) {
            case Heard.Said<T>(T what) -> saying.accept(said, what);
            case Heard.Silent<T>(String reason) ->
                said.setNotAnswered(NotAnswered.newBuilder().setQuestionId(id).setReason(reason));
          }
          router.post().send(to, Letter.newBuilder().setAnswer(said).build());
        });
  }

  @Override
  public void gatewayLeft(String gateway) {
    // Its nodes keep their leases and attend elsewhere; questions to them end by their patience.
  }

  @Override
  public void gridMerged() {
    merged.run();
  }
}
