package dev.rollcall.gateway.route;

import com.google.protobuf.DiscardUnknownFieldsParser;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Parser;
import dev.rollcall.gateway.stream.ConnectedNode;
import dev.rollcall.model.NodeName;
import dev.rollcall.port.GatewayMail;
import dev.rollcall.port.Roll.Owner;
import dev.rollcall.proto.roll.v1.ConnectResponse;
import dev.rollcall.proto.roll.v1.Letter;
import dev.rollcall.proto.roll.v1.NodeAnswer;
import dev.rollcall.proto.roll.v1.NodeOrder;
import dev.rollcall.proto.roll.v1.NotAnswered;
import dev.rollcall.wire.CallerMapper;
import dev.rollcall.wire.NodeMapper;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Reads the messages of other gateways.
 *
 * @param nodesConnectAgain gets the reason why the roll may lack entries
 */
public record Incoming(Router router, GatewaysKnown gateways, Consumer<String> nodesConnectAgain)
    implements GatewayMail.Listener {
  /** The asking gateway gives up by its own patience; this only bounds what is remembered here. */
  private static final Duration MOST_PATIENCE = Duration.ofSeconds(5);

  /** What a gateway passes on has no field that it does not know. */
  private static final Parser<Letter> LETTERS = DiscardUnknownFieldsParser.wrap(Letter.parser());

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
      case CALL_MADE -> router.watched().tell(NodeMapper.checked(letter.getCallMade()));
      case ADOPTIONS_MADE -> router.adoptions().heard(letter.getAdoptionsMade().getAdoptionsList());
      case GATEWAY -> gateways.heard(from, letter.getGateway());
      case LETTER_NOT_SET -> {} // of a later version
    }
  }

  private void ordered(String from, NodeOrder letter) {
    NodeName node = CallerMapper.node(letter.getNode(), "order.node");
    ConnectResponse order = letter.getOrder();
    var owner = new Owner.OneNode(node, router.post().self());
    if (Numbered.answers(order).isPresent()) {
      asked(from, owner, order);
    } else {
      Optional<ConnectedNode> here = router.nodes().find(node);
      here.ifPresent(connected -> connected.send(order));
    }
  }

  private void asked(String from, Owner.OneNode owner, ConnectResponse question) {
    long id = Numbered.number(question);
    var _ =
        router
            .ask(owner, question, patience(question))
            .thenAccept(heard ->
                router.post().send(from, Letter.newBuilder().setAnswer(answer(id, heard)).build()));
  }

  private static Duration patience(ConnectResponse order) {
    if (!order.hasQuestion()) {
      return MOST_PATIENCE;
    }
    var _ = CallerMapper.toModel(order.getQuestion().getConnection(), "question.connection");
    Duration patience =
        CallerMapper.duration(order.getQuestion().getPatience(), "question.patience");
    return patience.compareTo(MOST_PATIENCE) < 0 ? patience : MOST_PATIENCE;
  }

  private static NodeAnswer answer(long id, NodeReply heard) {
    return switch (heard) {
      case NodeReply.Said(NodeAnswer what) -> Numbered.with(id, what);
      case NodeReply.Silent(String reason) ->
          NodeAnswer.newBuilder()
              .setNotAnswered(NotAnswered.newBuilder().setQuestionId(id).setReason(reason))
              .build();
    };
  }

  @Override
  public void nodesConnectAgain(String because) {
    nodesConnectAgain.accept(because);
  }
}
