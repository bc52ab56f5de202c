# A first bot: it plays any game. It picks one of the legal moves at random.
#
# To make it your own, change choose. The manual, protocol.md, explains the messages.

$stdout.sync = true # Flush after each line. Without it a line stays in a buffer, and the harness does not get it.

# Makes random numbers. The same seed gives the same numbers in the starters of all languages.
class Dice
  def initialize(seed)
    @state = (seed % 2147483647).zero? ? 1 : seed % 2147483647
  end

  # A random number from 0 to count - 1.
  def below(count)
    @state = @state * 48271 % 2147483647
    @state % count
  end
end

# Picks one of the legal moves. Put your own ideas here.
def choose(moves, dice)
  moves[dice.below(moves.size)]
end

# The next line without its newline. The end of the input ends the bot.
def read
  ($stdin.gets || exit).chomp
end

dice = Dice.new(1)
loop do
  words = read.split
  case words[0]
  when "hello"
    puts "hello 1 legal" # Speak version 1, and ask for the legal moves with each question.
  when "new" # new MATCH SEAT SEATS SEED
    dice = Dice.new(words[4].to_i)
    puts "ready"
  when "legal" # legal all COUNT, then COUNT lines "move ...", then the question
    moves = Array.new(words[2].to_i) { read.delete_prefix("move ") }
    read # Skip the question: a listed move is a complete answer.
    puts choose(moves, dice)
  when "bye"
    break
  end # All other lines are events of the match. This bot ignores them.
end
