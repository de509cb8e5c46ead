package dev.rollcall.gateway.route;

import static java.util.Objects.requireNonNull;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import dev.rollcall.proto.roll.v1.ConnectResponse;
import dev.rollcall.proto.roll.v1.NodeAnswer;
import dev.rollcall.proto.roll.v1.NodeAnswer.AnswerCase;
import java.util.Optional;

/** The {@code question_id} of questions and answers of every kind. */
final class Numbered {
  private Numbered() {}

  static ConnectResponse with(long id, ConnectResponse question) {
    return (ConnectResponse) numbered(question, id);
  }

  static NodeAnswer with(long id, NodeAnswer answer) {
    return (NodeAnswer) numbered(answer, id);
  }

  /** Returns the number of a question or an answer; 0, which is not used, for unknown kinds. */
  static long number(Message said) {
    return kind(said)
        .map(kind -> (Message) said.getField(kind))
        .map(one -> (long) one.getField(id(one)))
        .orElse(0L);
  }

  private static Message numbered(Message said, long id) {
    FieldDescriptor kind = kind(said).orElseThrow();
    Message one = (Message) said.getField(kind);
    return said.toBuilder().setField(kind, one.toBuilder().setField(id(one), id).build()).build();
  }

  private static Optional<FieldDescriptor> kind(Message said) {
    return Optional.ofNullable(
        said.getOneofFieldDescriptor(said.getDescriptorForType().getOneofs().getFirst()));
  }

  private static FieldDescriptor id(Message one) {
    return requireNonNull(one.getDescriptorForType().findFieldByName("question_id"));
  }

  /** Returns the kind of answer that belongs to a question; empty for other orders. */
  static Optional<AnswerCase> answers(ConnectResponse order) {
    return switch (order.getOrderCase()) {
      case QUESTION -> Optional.of(AnswerCase.CALLER);
      case PROCESSES_QUESTION -> Optional.of(AnswerCase.PROCESSES);
      case OUTSIDE_PROCESSES_QUESTION -> Optional.of(AnswerCase.OUTSIDE_PROCESSES);
      case PREDICTION_QUESTION -> Optional.of(AnswerCase.PREDICTION);
      case MEMBERSHIP_QUESTION -> Optional.of(AnswerCase.MEMBERSHIP);
      case USAGE_QUESTION -> Optional.of(AnswerCase.USAGE);
      default -> Optional.empty();
    };
  }
}
