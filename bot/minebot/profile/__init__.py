"""Game profiles: what a game looks like and how it behaves, from `calibration/` and checked."""

from minebot.profile.appearance import CounterStyle as CounterStyle
from minebot.profile.appearance import FramedStyle as FramedStyle
from minebot.profile.appearance import LatticeStyle as LatticeStyle
from minebot.profile.appearance import Profile as Profile
from minebot.profile.appearance import StatusStyle as StatusStyle
from minebot.profile.behaviour import Behaviour as Behaviour
from minebot.profile.behaviour import Chooser as Chooser
from minebot.profile.behaviour import Dialog as Dialog
from minebot.profile.files import file_of as file_of
from minebot.profile.files import load as load
from minebot.profile.files import load_file as load_file
from minebot.profile.files import located as located
from minebot.profile.files import own_folder as own_folder
from minebot.profile.files import parse as parse
from minebot.profile.files import profiles as profiles
